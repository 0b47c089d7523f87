package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.table.model.IsolationLevel;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.model.IsolationLevel.SERIALIZABLE;
import static io.albis.table.model.IsolationLevel.SNAPSHOT;

/**
 * A model of a table whose rows have a key: row {@code i} of a row group has the key {@code low + i}.
 */
final class RowChangeModel
{
    private RowChangeModel() {}

    record Keys(long low, long high)
    {
        boolean contains(long key)
        {
            return low <= key && key <= high;
        }
    }

    record ModelRowGroup(long low, int rows, BitSet deleted)
    {
        boolean overlaps(Keys keys)
        {
            return low <= keys.high() && keys.low() < low + rows;
        }

        /**
         * Returns the rows that are not deleted and have one of the keys.
         */
        BitSet select(Keys keys)
        {
            BitSet selected = new BitSet();
            for (int row = 0; row < rows; row++) {
                if (keys.contains(low + row) && !deleted.get(row)) {
                    selected.set(row);
                }
            }
            return selected;
        }

        ModelRowGroup delete(BitSet more)
        {
            BitSet all = (BitSet) deleted.clone();
            all.or(more);
            return new ModelRowGroup(low, rows, all);
        }

        boolean isEmpty()
        {
            return deleted.cardinality() == rows;
        }
    }

    /**
     * One state of the table.
     *
     * @param rollbacks number of rollbacks so far
     * @param truncated the states before each TRUNCATE so far
     * @param updated the row groups from which each UPDATE so far has moved rows
     */
    record State(Map<UUID, ModelRowGroup> rowGroups, int rollbacks, List<State> truncated, List<Set<UUID>> updated)
    {
        State
        {
            rowGroups = ImmutableMap.copyOf(rowGroups);
            truncated = ImmutableList.copyOf(truncated);
            updated = ImmutableList.copyOf(updated);
        }

        private State with(Map<UUID, ModelRowGroup> rowGroups, Set<UUID> updated)
        {
            return new State(rowGroups, rollbacks, truncated, updated.isEmpty() ? this.updated : ImmutableList.<Set<UUID>>builder().addAll(this.updated).add(updated).build());
        }

        private boolean isUpdatedSince(State base, UUID rowGroup)
        {
            return updated.stream().skip(base.updated.size()).anyMatch(rowGroups -> rowGroups.contains(rowGroup));
        }

        private State truncate()
        {
            if (rowGroups.isEmpty()) {
                return this;
            }
            return new State(Map.of(), rollbacks, ImmutableList.<State>builder().addAll(truncated).add(new State(rowGroups, rollbacks, List.of(), List.of())).build(), updated);
        }

        /**
         * Returns the last state before the first TRUNCATE after another state.
         */
        private Optional<State> beforeTruncation(State base)
        {
            return truncated.stream().skip(base.truncated.size()).findFirst();
        }

        long liveRows()
        {
            return rowGroups.values().stream().mapToLong(rowGroup -> rowGroup.rows() - rowGroup.deleted().cardinality()).sum();
        }

        boolean addedSince(State base, Keys read)
        {
            return rowGroups.entrySet().stream()
                    .anyMatch(rowGroup -> rowGroup.getValue().overlaps(read) && !base.rowGroups().containsKey(rowGroup.getKey()));
        }

        boolean removedSince(State base, Keys read)
        {
            return base.rowGroups().entrySet().stream()
                    .anyMatch(rowGroup -> rowGroup.getValue().overlaps(read) && !rowGroup.getValue().equals(rowGroups.get(rowGroup.getKey())));
        }
    }

    /**
     * What a statement does according to the version from which it started.
     *
     * @param deleted rows to delete by row group
     * @param whole those of these row groups that are removed as a whole, without a bitmap
     * @param read keys of the rows that the statement has read; empty if it read nothing
     * @param onlyDeletes whether the statement is a DELETE
     * @param truncates whether the statement is a TRUNCATE
     * @param restored the rows to which a rollback returns
     */
    record Statement(State base, Map<UUID, ModelRowGroup> added, Map<UUID, BitSet> deleted, Set<UUID> whole, Optional<Keys> read, boolean onlyDeletes, boolean truncates, Optional<Map<UUID, ModelRowGroup>> restored)
    {
        Statement(State base, Map<UUID, ModelRowGroup> added, Map<UUID, BitSet> deleted, Set<UUID> whole, Optional<Keys> read, boolean onlyDeletes)
        {
            this(base, added, deleted, whole, read, onlyDeletes, false, Optional.empty());
        }

        static Statement truncate(State base)
        {
            return new Statement(base, Map.of(), Map.of(), Set.of(), Optional.empty(), false, true, Optional.empty());
        }

        static Statement rollback(State base, State restored)
        {
            return new Statement(base, Map.of(), Map.of(), Set.of(), Optional.empty(), false, false, Optional.of(restored.rowGroups()));
        }

        /**
         * Returns the state after the statement; empty if the statement has a conflict.
         */
        Optional<State> apply(State current, IsolationLevel isolation)
        {
            if (truncates) {
                return Optional.of(current.truncate());
            }
            if (restored.isPresent()) {
                return Optional.of(new State(restored.get(), current.rollbacks() + 1, current.truncated(), current.updated()));
            }
            if (current.rollbacks() != base.rollbacks()) {
                return Optional.empty();
            }
            boolean othersAdded = read.isPresent() && current.addedSince(base, read.get());
            boolean othersRemoved = read.isPresent() && current.removedSince(base, read.get());
            if (isolation == SERIALIZABLE && (othersAdded || (othersRemoved && !onlyDeletes))) {
                return Optional.empty();
            }
            Map<UUID, ModelRowGroup> result = new HashMap<>(current.rowGroups());
            for (Map.Entry<UUID, BitSet> entry : deleted.entrySet()) {
                UUID id = entry.getKey();
                ModelRowGroup now = current.rowGroups().get(id);
                boolean contested = now == null || now.deleted().intersects(entry.getValue()) || (whole.contains(id) && !now.equals(base.rowGroups().get(id)));
                if (contested && (!onlyDeletes || othersAdded)) {
                    return Optional.empty();
                }
                if (contested && isolation == SERIALIZABLE && !whole.contains(id) && !isBeforeTruncation(current)) {
                    return Optional.empty();
                }
                // each row is changed by one of two statements, wherever an UPDATE has moved it
                if (contested && isolation == SNAPSHOT && !whole.contains(id) && current.isUpdatedSince(base, id)) {
                    return Optional.empty();
                }
                if (now != null) {
                    ModelRowGroup after = now.delete(entry.getValue());
                    if (after.isEmpty() || whole.contains(id)) {
                        result.remove(id);
                    }
                    else {
                        result.put(id, after);
                    }
                }
            }
            result.putAll(added);
            return Optional.of(current.with(result, onlyDeletes ? Set.of() : deleted.keySet()));
        }

        /**
         * Returns whether a DELETE would find the same rows directly before a TRUNCATE.
         */
        private boolean isBeforeTruncation(State current)
        {
            return current.beforeTruncation(base)
                    .filter(before -> !before.addedSince(base, read.orElseThrow()) && !before.removedSince(base, read.orElseThrow()))
                    .isPresent();
        }
    }
}
