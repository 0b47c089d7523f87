package io.albis.table.version;

import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.TableVersion;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.model.TableOperation.REGROUP;
import static java.util.Objects.requireNonNull;

/**
 * The columns of which a row group has other instances in a later version, but the same values, because they were
 * grouped in another way in between. A write that began before is still valid.
 * <p>
 * This reads the versions in between, and only when a row group has other instances. No commit has to record anything.
 */
final class CopiedColumns
{
    // A write that many others overtake fails rather than reading all their versions
    private static final long MAX_VERSIONS = 1000;

    private final TableStorage storage;
    private final TableVersion base;
    private final TableVersion next;
    // what each column of a regrouping was copied from
    private Optional<Map<Source, UUID>> copies = Optional.empty();

    /**
     * @param columnGroup id of the instance from which the column is read
     */
    private record Source(UUID columnGroup, int columnId) {}

    /**
     * @param base version from which a write started
     * @param next copy of the newest version with the next number
     */
    CopiedColumns(TableStorage storage, TableVersion base, TableVersion next)
    {
        this.storage = requireNonNull(storage, "storage is null");
        this.base = requireNonNull(base, "base is null");
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
     * Returns whether a column certainly has the same values, or is stored by neither.
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
        if (copies.isEmpty()) {
            copies = Optional.of(read());
        }
        UUID source = current.get();
        while (source != null && !source.equals(before.get())) {
            source = copies.get().get(new Source(source, columnId));
        }
        return source != null;
    }

    private static Optional<UUID> instance(RowGroup rowGroup, int columnId)
    {
        return rowGroup.columnGroup(columnId).map(ColumnGroupInstance::id);
    }

    /**
     * @return nothing if a version is not known any more
     */
    private Map<Source, UUID> read()
            throws IOException
    {
        Map<Source, UUID> read = new HashMap<>();
        if (next.version() - base.version() > MAX_VERSIONS) {
            return read;
        }
        TableVersion before = base;
        for (long number = base.version() + 1; number < next.version(); number++) {
            Optional<TableVersion> version = storage.versions().read(number);
            if (version.isEmpty() || !version.get().previous().equals(Optional.of(before.commitId()))) {
                return new HashMap<>();
            }
            if (version.get().operation().equals(REGROUP.label())) {
                add(before, version.get(), read);
            }
            before = version.get();
        }
        return read;
    }

    private void add(TableVersion before, TableVersion after, Map<Source, UUID> read)
            throws IOException
    {
        Map<UUID, RowGroup> old = ManifestPart.read(storage.manifests(), ManifestPart.onlyIn(before, after), ReadSet.wholeTable());
        Map<UUID, RowGroup> changed = ManifestPart.read(storage.manifests(), ManifestPart.onlyIn(after, before), ReadSet.wholeTable());
        changed.forEach((id, rowGroup) -> {
            for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                for (int columnId : columnGroup.columnIds()) {
                    Optional<UUID> source = Optional.ofNullable(old.get(id)).flatMap(same -> instance(same, columnId));
                    source.filter(found -> !found.equals(columnGroup.id()))
                            .ifPresent(found -> read.put(new Source(columnGroup.id(), columnId), found));
                }
            }
        });
    }
}
