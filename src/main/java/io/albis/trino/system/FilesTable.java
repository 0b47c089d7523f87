package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import io.albis.format.metadata.RowGroup;
import io.albis.table.version.AlbisTable;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.type.RowType;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.UuidType.UUID;
import static io.trino.spi.type.UuidType.javaUuidToTrinoUuid;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The row groups of a version, which are for Albis what data files are for Iceberg.
 */
final class FilesTable
{
    static final String FORMAT = "ALBIS";

    private static final long DATA = 0;

    private FilesTable() {}

    static SystemTable create(SchemaTableName name, AlbisTable table)
    {
        RowGroupStatistics statistics = new RowGroupStatistics(table.version().columns());
        RowType bounds = statistics.boundsType();
        ImmutableList<ColumnMetadata> columns = ImmutableList.of(
                new ColumnMetadata("content", INTEGER),
                new ColumnMetadata("file_path", VARCHAR),
                new ColumnMetadata("file_format", VARCHAR),
                new ColumnMetadata("record_count", BIGINT),
                new ColumnMetadata("file_size_in_bytes", BIGINT),
                new ColumnMetadata("value_counts", RowGroupStatistics.COUNTS),
                new ColumnMetadata("null_value_counts", RowGroupStatistics.COUNTS),
                new ColumnMetadata("lower_bounds", bounds),
                new ColumnMetadata("upper_bounds", bounds),
                new ColumnMetadata("added_snapshot_id", BIGINT),
                new ColumnMetadata("row_group", UUID),
                new ColumnMetadata("deleted_record_count", BIGINT));
        return new RowsTable(name, columns, _ -> Iterators.transform(table.rowGroupsWithVersions().iterator(), rowGroup -> row(rowGroup, table, statistics)));
    }

    private static Object[] row(RowGroup rowGroup, AlbisTable table, RowGroupStatistics statistics)
    {
        return new Object[] {
                DATA,
                utf8Slice(RowGroup.folder(table.folder(), rowGroup.id()).toString()),
                utf8Slice(FORMAT),
                rowGroup.rows(),
                rowGroup.bytes(),
                statistics.valueCounts(rowGroup),
                statistics.nullCounts(rowGroup),
                statistics.lowerBounds(rowGroup),
                statistics.upperBounds(rowGroup),
                rowGroup.addedVersion(),
                javaUuidToTrinoUuid(rowGroup.id()),
                rowGroup.rows() - rowGroup.liveRows(),
        };
    }
}
