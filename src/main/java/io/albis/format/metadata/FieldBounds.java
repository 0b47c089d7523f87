package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.EncodedStatistics;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The statistics over a whole row group of fields of its nested columns: of scalar fields with an order to which only
 * rows lead. Each row of the table has one value of such a field, which is null if a row above it is null.
 *
 * @param paths for each field, the ids of the fields that lead from its column to it, which is the last one
 * @param statistics for each field, its statistics with the id of its column; may omit fields, or be empty
 */
public record FieldBounds(List<List<Integer>> paths, List<ColumnStatistics> statistics)
{
    public static final FieldBounds NONE = new FieldBounds(ImmutableList.of(), ImmutableList.of());

    public FieldBounds
    {
        paths = ImmutableList.copyOf(paths);
        statistics = statistics instanceof EncodedStatistics ? statistics : ImmutableList.copyOf(statistics);
        checkArgument(paths.size() == statistics.size(), "%s fields have statistics, but there are statistics of %s fields", paths.size(), statistics.size());
    }

    boolean isEmpty()
    {
        return paths.isEmpty();
    }

    /**
     * Returns the statistics of a field, or empty if they are unknown.
     */
    Optional<ColumnStatistics> find(int columnId, List<Integer> path)
    {
        if (statistics instanceof EncodedStatistics encoded) {
            return encoded.find(columnId, field -> paths.get(field).equals(path));
        }
        for (int field = 0; field < paths.size(); field++) {
            if (statistics.get(field).columnId() == columnId && paths.get(field).equals(path)) {
                return Optional.of(statistics.get(field));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the statistics of the fields of some columns.
     */
    FieldBounds ofColumns(Set<Integer> columnIds)
    {
        Builder builder = new Builder();
        builder.addAll(this, columnIds);
        return builder.build();
    }

    /**
     * Collects the statistics of fields.
     */
    public static final class Builder
    {
        private final ImmutableList.Builder<List<Integer>> paths = ImmutableList.builder();
        private final ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builder();

        /**
         * @param path the ids of the fields that lead from the column to the field
         * @param statistics statistics with the id of the column
         */
        public void add(List<Integer> path, ColumnStatistics statistics)
        {
            paths.add(path);
            this.statistics.add(statistics);
        }

        void addAll(FieldBounds bounds, Set<Integer> columnIds)
        {
            int field = 0;
            for (ColumnStatistics next : bounds.statistics) {
                if (columnIds.contains(next.columnId())) {
                    add(bounds.paths.get(field), next);
                }
                field++;
            }
        }

        public FieldBounds build()
        {
            return new FieldBounds(paths.build(), statistics.build());
        }
    }
}
