package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.TableVersion;
import io.albis.table.model.VersionTotals;
import io.albis.table.version.Commits;

import java.util.Optional;

import static io.albis.table.model.TableOperation.TRUNCATE;

/**
 * Commits a TRUNCATE. It removes all rows that the newest version has, whatever other writers committed since the
 * statement began, and reads no manifest.
 */
public final class Truncation
        implements Commits.Step
{
    @Override
    public Optional<TableVersion> apply(TableVersion next)
    {
        if (next.manifests().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(next.withManifests(ImmutableList.of())
                .withOperation(TRUNCATE, VersionTotals.of(next).removed()));
    }
}
