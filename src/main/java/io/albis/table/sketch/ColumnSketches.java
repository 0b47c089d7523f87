package io.albis.table.sketch;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.airlift.slice.SizeOf.INTEGER_INSTANCE_SIZE;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Comparator.comparing;
import static java.util.function.Function.identity;

/**
 * Sketches of several columns over the same rows.
 *
 * @param columns sketches by column id; the values of a column without a sketch are unknown
 */
public record ColumnSketches(Map<Integer, ColumnSketch> columns)
{
    public static final ColumnSketches NONE = new ColumnSketches(ImmutableMap.of());

    private static final int INSTANCE_SIZE = instanceSize(ColumnSketches.class);

    public ColumnSketches
    {
        columns = ImmutableMap.copyOf(columns);
    }

    /**
     * Returns the sketches by their column ids.
     *
     * @throws IllegalArgumentException if two sketches have the same column id
     */
    public static ColumnSketches of(Collection<ColumnSketch> sketches)
    {
        return new ColumnSketches(sketches.stream()
                .collect(toImmutableMap(ColumnSketch::columnId, identity())));
    }

    public Optional<ColumnSketch> get(int columnId)
    {
        return Optional.ofNullable(columns.get(columnId));
    }

    /**
     * Returns the sketches of the first columns in the order of their ids, as many as fit into a number of bytes.
     */
    public ColumnSketches limit(long bytes)
    {
        ImmutableList.Builder<ColumnSketch> kept = ImmutableList.builder();
        long size = 0;
        for (ColumnSketch sketch : ImmutableList.sortedCopyOf(comparing(ColumnSketch::columnId), columns.values())) {
            size += sketch.distinct().length();
            if (size > bytes) {
                break;
            }
            kept.add(sketch);
        }
        return of(kept.build());
    }

    /**
     * Returns sketches of the same columns without values. Merging them with others changes nothing.
     */
    public ColumnSketches withoutValues()
    {
        ImmutableList.Builder<ColumnSketch> empty = ImmutableList.builder();
        columns.keySet().forEach(columnId -> empty.add(ColumnSketch.empty(columnId)));
        return of(empty.build());
    }

    /**
     * Returns the sketches that have values. A sketch without values says nothing, because its manifest may contain row
     * groups whose values are in the sketches of another one.
     */
    public ColumnSketches withValues()
    {
        return of(columns.values().stream()
                .filter(sketch -> sketch.values() > 0)
                .collect(toImmutableList()));
    }

    /**
     * Returns sketches of the same columns, and of new ones, after some of the values were replaced. They cover the old
     * and the new values, because no value can be removed from a sketch. Their number of values is an estimate, because
     * new values may replace nulls: the greater of both numbers. The average size of a value is that of all of them.
     *
     * @param newValues sketches of new values, for any columns
     * @param isNew whether a column had no values before
     */
    public ColumnSketches withReplaced(ColumnSketches newValues, IntPredicate isNew)
    {
        ImmutableList.Builder<ColumnSketch> replaced = ImmutableList.builder();
        for (ColumnSketch sketch : columns.values()) {
            replaced.add(newValues.get(sketch.columnId())
                    .map(other -> ColumnSketch.merge(ImmutableList.of(sketch, other)).withValues(Math.max(sketch.values(), other.values())))
                    .orElse(sketch));
        }
        for (ColumnSketch sketch : newValues.columns.values()) {
            if (!columns.containsKey(sketch.columnId()) && isNew.test(sketch.columnId())) {
                replaced.add(sketch);
            }
        }
        return of(replaced.build());
    }

    /**
     * Returns the size in memory, in bytes.
     */
    public long retainedSize()
    {
        return INSTANCE_SIZE + estimatedSizeOf(columns, _ -> INTEGER_INSTANCE_SIZE, ColumnSketch::retainedSize);
    }

    /**
     * Merges the sketches of several parts. The result has a sketch of those columns that have one in every part.
     */
    public static ColumnSketches merge(List<ColumnSketches> parts)
    {
        if (parts.isEmpty()) {
            return NONE;
        }
        ImmutableList.Builder<ColumnSketch> merged = ImmutableList.builder();
        for (int columnId : parts.getFirst().columns().keySet()) {
            ImmutableList.Builder<ColumnSketch> column = ImmutableList.builder();
            parts.forEach(part -> part.get(columnId).ifPresent(column::add));
            List<ColumnSketch> sketches = column.build();
            if (sketches.size() == parts.size()) {
                merged.add(ColumnSketch.merge(sketches));
            }
        }
        return of(merged.build());
    }
}
