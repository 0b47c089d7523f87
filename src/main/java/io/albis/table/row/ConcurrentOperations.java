package io.albis.table.row;

import com.google.common.collect.ImmutableMap;
import io.albis.table.model.TableOperation;
import io.albis.table.model.TableVersion;
import io.albis.table.version.Versions;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import static io.albis.table.model.TableOperation.APPEND;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OPTIMIZE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static io.albis.table.model.TableOperation.TRUNCATE;

/**
 * Says what other writers have done to the rows of a table, for the message of a conflict. Their row groups do not say
 * it: both an INSERT and an optimization add row groups.
 */
final class ConcurrentOperations
{
    // A statement that fails does not read more versions
    private static final long MAX_VERSIONS = 100;

    private static final Map<TableOperation, String> DESCRIPTIONS = ImmutableMap.of(
            APPEND, "added rows to",
            DELETE, "deleted rows of",
            TRUNCATE, "deleted rows of",
            OVERWRITE, "changed rows of",
            OPTIMIZE, "rewrote row groups of");

    private ConcurrentOperations() {}

    /**
     * Returns a predicate such as "added rows to", which the name of what was changed can follow.
     *
     * @param base version from which a statement started
     * @param next copy of the newest version with the next number
     * @param possible operations that can be the reason of the conflict; others are left out
     */
    static String describe(Versions versions, TableVersion base, TableVersion next, Collection<TableOperation> possible)
            throws IOException
    {
        Set<String> descriptions = new TreeSet<>();
        for (long number = Math.max(base.version() + 1, next.version() - MAX_VERSIONS); number < next.version(); number++) {
            Optional<String> operation = versions.readUnlessDamaged(number).map(TableVersion::operation);
            possible.stream()
                    .filter(candidate -> operation.equals(Optional.of(candidate.label())))
                    .map(DESCRIPTIONS::get)
                    .forEach(descriptions::add);
        }
        return descriptions.isEmpty() ? "changed" : String.join(" or ", descriptions);
    }
}
