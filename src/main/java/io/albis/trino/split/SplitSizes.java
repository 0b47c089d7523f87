package io.albis.trino.split;

import io.airlift.units.DataSize;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableVersion;
import io.trino.spi.type.FixedWidthType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToLongFunction;

import static java.lang.Math.ceilDiv;
import static java.lang.Math.max;

/**
 * Limits the sizes of splits. The limit is that of the bytes of whole rows on storage. A scan of some narrow columns of
 * wide rows reads little of them, so it gets larger splits: each split takes the engine a fraction of a millisecond.
 */
final class SplitSizes
{
    // The rows of a split may be much work for the operators after the scan, however few columns it reads
    private static final long MIN_ROWS = 1 << 18;
    // Most values are stored in fewer bytes than those of their type
    private static final double STORED_SHARE = 0.5;

    private SplitSizes() {}

    /**
     * Returns the size above which a row group has several splits, in bytes on storage.
     *
     * @param columnIds ids of the columns that the scan reads; empty if they are not known
     * @param size the size if it reads all columns
     */
    static ToLongFunction<RowGroup> maxBytes(TableVersion version, Optional<Set<Integer>> columnIds, DataSize size)
    {
        long bytes = size.toBytes();
        OptionalDouble rowBytes = columnIds.isEmpty() ? OptionalDouble.empty() : rowBytes(version, columnIds.get());
        return rowBytes.isEmpty() ? _ -> bytes : rowGroup -> maxBytes(rowGroup, bytes, rowBytes.getAsDouble());
    }

    private static long maxBytes(RowGroup rowGroup, long maxBytes, double rowBytes)
    {
        long count = max(ceilDiv(rowGroup.rows(), MIN_ROWS), (long) Math.ceil(rowGroup.rows() * rowBytes / maxBytes));
        return max(maxBytes, ceilDiv(rowGroup.bytes(), count));
    }

    /**
     * Estimates the bytes that a scan reads of each row.
     *
     * @return empty if a column has values of any length, or if the scan reads whole rows
     */
    private static OptionalDouble rowBytes(TableVersion version, Set<Integer> columnIds)
    {
        if (version.columnGroups().stream().anyMatch(group -> group.layout() == AlbisLayout.ROW)) {
            return OptionalDouble.empty();
        }
        double bytes = 0;
        for (TableColumn column : version.columns()) {
            if (columnIds.contains(column.id())) {
                bytes += bytes(column.type());
            }
        }
        return Double.isNaN(bytes) ? OptionalDouble.empty() : OptionalDouble.of(bytes);
    }

    /**
     * Returns an estimate of the bytes of a stored value, or NaN if values of the type can have any length.
     */
    private static double bytes(Type type)
    {
        return switch (type) {
            case FixedWidthType fixed -> fixed.getFixedSize() * STORED_SHARE;
            case RowType row -> row.getFieldTypes().stream().mapToDouble(SplitSizes::bytes).sum();
            default -> Double.NaN;
        };
    }
}
