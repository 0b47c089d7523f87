package io.albis.table.row;

import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.TableVersion;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.model.TableOperation.REGROUP;
import static java.util.Objects.requireNonNull;

/**
 * Finds the columns that a later version stores in other instances with the same values, because a statement has
 * regrouped them. A write that began before the regrouping is still valid.
 * <p>
 * This reads the versions in between, and only if a row group has other instances. Commits therefore do not need to
 * record where values come from.
 */
final class CopiedColumns
{
    private final TableStorage storage;
    private final LaterVersions versions;
    // by the id of each instance that a regrouping has written, the row group from which its columns were copied
    private final Map<UUID, RowGroup> sources = new HashMap<>();

    // versions before this one are read
    private TableVersion next;

    /**
     * @param base version from which a write started
     */
    CopiedColumns(TableStorage storage, TableVersion base)
    {
        this.storage = requireNonNull(storage, "storage is null");
        this.versions = new LaterVersions(storage, base, this::visit);
        this.next = requireNonNull(base, "base is null");
    }

    /**
     * Compares with the newest version from now on. Versions that were read are not read again.
     *
     * @param next copy of the newest version with the next number
     */
    void setNext(TableVersion next)
    {
        this.next = requireNonNull(next, "next is null");
    }

    /**
     * Returns the ids of the columns that may have other values than before, or values for the first time.
     */
    Set<Integer> replacedColumns(RowGroup old, RowGroup now)
            throws IOException
    {
        if (now.columnGroups().equals(old.columnGroups())) {
            return ImmutableSet.of();
        }
        ImmutableSet.Builder<Integer> replaced = ImmutableSet.builder();
        for (int columnId : now.columnIds()) {
            if (!hasSameValues(old, now, columnId)) {
                replaced.add(columnId);
            }
        }
        return replaced.build();
    }

    /**
     * Returns whether a column is known to have the same values, or neither row group stores it.
     */
    boolean hasSameValues(RowGroup old, RowGroup now, int columnId)
            throws IOException
    {
        Optional<UUID> before = instance(old, columnId);
        Optional<UUID> current = instance(now, columnId);
        if (before.equals(current)) {
            return true;
        }
        if (before.isEmpty() || current.isEmpty()) {
            return false;
        }
        if (!versions.readUntil(next)) {
            return false;
        }
        Optional<UUID> source = current;
        while (source.isPresent() && !source.equals(before)) {
            source = Optional.ofNullable(sources.get(source.get())).flatMap(rowGroup -> instance(rowGroup, columnId));
        }
        return source.isPresent();
    }

    private static Optional<UUID> instance(RowGroup rowGroup, int columnId)
    {
        return rowGroup.columnGroup(columnId).map(ColumnGroupInstance::id);
    }

    private void visit(TableVersion before, TableVersion after)
            throws IOException
    {
        if (!after.operation().equals(REGROUP.label())) {
            return;
        }
        Map<UUID, RowGroup> old = ManifestPart.read(storage.manifests(), ManifestPart.onlyIn(before, after), ReadSet.wholeTable());
        Map<UUID, RowGroup> changed = ManifestPart.read(storage.manifests(), ManifestPart.onlyIn(after, before), ReadSet.wholeTable());
        changed.forEach((id, rowGroup) -> {
            RowGroup source = old.get(id);
            if (source == null) {
                return;
            }
            for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                if (source.columnGroups().stream().noneMatch(same -> same.id().equals(columnGroup.id()))) {
                    sources.put(columnGroup.id(), source);
                }
            }
        });
    }
}
