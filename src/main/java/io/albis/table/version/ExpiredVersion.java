package io.albis.table.version;

import io.albis.table.model.TableVersion;

import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * The stub that replaces the file of an expired version, so that its number is never used again. It tells a writer that
 * has not received the response to its commit whether the version was its own.
 *
 * @param uuid id of the table
 * @param version number of the version
 * @param commitId id of the commit that created the version, which is also the id in the header of the stub
 */
public record ExpiredVersion(UUID uuid, long version, UUID commitId)
{
    public ExpiredVersion
    {
        requireNonNull(uuid, "uuid is null");
        requireNonNull(commitId, "commitId is null");
    }

    public static ExpiredVersion of(TableVersion version)
    {
        return new ExpiredVersion(version.uuid(), version.version(), version.commitId());
    }
}
