package io.albis.table.row;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.Ints;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.TableVersion;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import static io.albis.table.model.TableOperation.APPEND;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.TRUNCATE;
import static java.util.Collections.disjoint;
import static java.util.Objects.requireNonNull;

/**
 * Decides whether a write could have run before others that have deleted some of its rows. Its number of rows, which
 * the engine has counted, includes these rows, so this is the only order that explains the number. This reads the
 * versions in between, and only if others have deleted such rows.
 */
final class SerialOrder
{
    private static final String READ_COLUMNS = "read-columns";

    private final ManifestStorage manifests;
    private final TableVersion base;
    private final RowChange change;
    private final ReadSet readSet;
    private final CopiedColumns copied;
    private final LaterVersions versions;

    private boolean truncated;
    private boolean unchangedUntilTruncation;
    private boolean deletesMayDependOnUpdate;

    /**
     * @param base version from which the write started
     */
    SerialOrder(TableStorage storage, TableVersion base, RowChange change, ReadSet readSet, CopiedColumns copied)
    {
        this.manifests = storage.manifests();
        this.base = requireNonNull(base, "base is null");
        this.change = requireNonNull(change, "change is null");
        this.readSet = requireNonNull(readSet, "readSet is null");
        this.copied = requireNonNull(copied, "copied is null");
        this.versions = new LaterVersions(storage, base, this::visit);
    }

    /**
     * Returns what a version has to say in its summary, so that writers that commit later can decide.
     */
    static Map<String, String> summary(RowChange change, ReadSet readSet)
    {
        Optional<Set<Integer>> columns = readSet.decidingColumns();
        if (change.operation() != DELETE || columns.isEmpty()) {
            return ImmutableMap.of();
        }
        return ImmutableMap.of(READ_COLUMNS, columns.get().stream()
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(",")));
    }

    /**
     * Returns whether a DELETE could have run directly before a TRUNCATE: whether nothing that it has read was changed
     * until then. It leaves no trace, because the TRUNCATE has removed its rows.
     *
     * @param next copy of the newest version with the next number
     */
    boolean isBeforeTruncation(TableVersion next)
            throws IOException
    {
        return versions.readUntil(next) && unchangedUntilTruncation;
    }

    /**
     * Returns whether an UPDATE in place could have run before all DELETE statements that have deleted rows of the same
     * row groups: whether they have read other columns than those that it has changed.
     *
     * @param next copy of the newest version with the next number
     */
    boolean isBeforeDeletes(TableVersion next)
            throws IOException
    {
        return versions.readUntil(next) && !deletesMayDependOnUpdate;
    }

    private void visit(TableVersion before, TableVersion version)
            throws IOException
    {
        if (!truncated && version.operation().equals(TRUNCATE.label())) {
            ConcurrentChanges changes = ConcurrentChanges.find(manifests, base, before, readSet, copied);
            unchangedUntilTruncation = !changes.added() && !changes.updated() && !changes.removed();
            truncated = true;
        }
        if (!change.rewrittenById().isEmpty() && !commutesWithUpdate(version) && MovedRows.deletesFrom(change.rewrittenById().keySet(), manifests, before, version)) {
            deletesMayDependOnUpdate = true;
        }
    }

    private boolean commutesWithUpdate(TableVersion version)
    {
        if (version.operation().equals(APPEND.label())) {
            return true;
        }
        return version.operation().equals(DELETE.label())
                && readColumns(version).map(columns -> disjoint(columns, change.updatedColumns())).orElse(false);
    }

    /**
     * Returns the ids of the columns by which a DELETE has decided about each row by this row alone; empty if it is not
     * known that it has.
     */
    private static Optional<Set<Integer>> readColumns(TableVersion version)
    {
        String columns = version.summary().get(READ_COLUMNS);
        if (columns == null) {
            return Optional.empty();
        }
        ImmutableSet.Builder<Integer> ids = ImmutableSet.builder();
        for (String column : Splitter.on(',').omitEmptyStrings().split(columns)) {
            Integer id = Ints.tryParse(column);
            if (id == null) {
                return Optional.empty();
            }
            ids.add(id);
        }
        return Optional.of(ids.build());
    }
}
