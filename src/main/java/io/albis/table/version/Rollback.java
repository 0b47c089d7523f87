package io.albis.table.version;

import com.google.common.collect.ImmutableMap;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;

import java.io.IOException;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.VERSION_NOT_FOUND;
import static io.albis.table.model.TableOperation.ROLLBACK;
import static java.util.Objects.requireNonNull;

/**
 * Commits a new version with the content of an earlier one, whatever other writers committed since the statement began.
 * It reads no manifest.
 */
public final class Rollback
        implements Commits.Step
{
    /**
     * The name in the summary of the version that was restored.
     */
    public static final String RESTORED_VERSION = "restored-version";

    private final Versions versions;
    private final long number;

    /**
     * @param number number of the version that is restored
     */
    public Rollback(TableStorage storage, long number)
    {
        this.versions = requireNonNull(storage, "storage is null").versions();
        this.number = number;
    }

    @Override
    public Optional<TableVersion> apply(TableVersion next)
            throws IOException
    {
        if (number == next.version() - 1) {
            return Optional.empty();
        }
        // Files of an expired version may be missing already. A rollback that is committed first keeps them
        if (next.isExpired(number)) {
            throw new TableException(VERSION_NOT_FOUND, "Version %s cannot be restored, because it has expired", number);
        }
        TableVersion restored = versions.read(number)
                .orElseThrow(() -> new TableException(VERSION_NOT_FOUND, "The table no longer has version %s", number));
        // The new version does not list them, so no later writer would notice what the content depends on
        Commits.checkWriterFeatures(restored);
        return Optional.of(next.restore(restored)
                .withOperation(ROLLBACK, ImmutableMap.of(RESTORED_VERSION, String.valueOf(number))));
    }
}
