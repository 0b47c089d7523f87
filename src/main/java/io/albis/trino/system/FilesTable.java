package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import io.albis.format.index.ValueListWriter;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.StoredIndexes;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.manifest.ConcurrentReads;
import io.albis.table.model.TableColumn;
import io.albis.table.path.TablePaths;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ManifestRowGroups;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.RowType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
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
    private static final ArrayType NAMES = new ArrayType(VARCHAR);

    private final TrinoFileSystem fileSystem;
    private final AlbisTable table;
    private final List<AlbisColumn> indexable;
    private final TablePaths paths;
    private final PartitionRows partitions;
    private final RowGroupStatistics statistics;

    private FilesTable(TrinoFileSystem fileSystem, AlbisTable table)
    {
        this.fileSystem = fileSystem;
        this.table = table;
        this.indexable = table.version().columns().stream()
                .map(TableColumn::toAlbisColumn)
                .filter(column -> ValueListWriter.isSupported(column.type()))
                .collect(toImmutableList());
        this.paths = new TablePaths(table.folder());
        this.partitions = new PartitionRows(table);
        this.statistics = new RowGroupStatistics(table.version().columns());
    }

    /**
     * @param reads reads the metadata of row groups
     */
    static SystemTable create(SchemaTableName name, TrinoFileSystem fileSystem, ConcurrentReads reads, AlbisTable table)
    {
        FilesTable files = new FilesTable(fileSystem, table);
        return new RowsTable(name, files.columns(), _ -> files.rows(), Optional.of(reads));
    }

    private List<ColumnMetadata> columns()
    {
        RowType bounds = statistics.boundsType();
        ImmutableList.Builder<ColumnMetadata> columns = ImmutableList.builder();
        columns.add(
                new ColumnMetadata("content", INTEGER),
                new ColumnMetadata("file_path", VARCHAR),
                new ColumnMetadata("file_format", VARCHAR));
        partitions.type().ifPresent(type -> columns.add(new ColumnMetadata("partition", type)));
        columns.add(
                new ColumnMetadata("record_count", BIGINT),
                new ColumnMetadata("file_size_in_bytes", BIGINT),
                new ColumnMetadata("value_counts", RowGroupStatistics.COUNTS),
                new ColumnMetadata("null_value_counts", RowGroupStatistics.COUNTS),
                new ColumnMetadata("lower_bounds", bounds),
                new ColumnMetadata("upper_bounds", bounds),
                new ColumnMetadata("added_snapshot_id", BIGINT),
                new ColumnMetadata("manifest_location", VARCHAR),
                new ColumnMetadata("row_group", UUID),
                new ColumnMetadata("deleted_record_count", BIGINT),
                // hidden, so that SELECT * needs only manifests: it is fast, and damaged row groups do not matter
                ColumnMetadata.builder()
                        .setName("indexed_columns")
                        .setType(NAMES)
                        .setHidden(true)
                        .build());
        return columns.build();
    }

    private Iterator<Object[]> rows()
    {
        return Iterators.concat(Iterators.transform(table.manifestRowGroups(), this::rows));
    }

    private Iterator<Object[]> rows(ManifestRowGroups manifest)
    {
        String location = paths.manifest(manifest.manifest().id()).toString();
        return Iterators.transform(manifest.rowGroups().iterator(), rowGroup -> row(rowGroup, location));
    }

    private Object[] row(RowGroup rowGroup, String manifestLocation)
    {
        List<Object> row = new ArrayList<>();
        row.add(DATA);
        row.add(utf8Slice(RowGroup.folder(table.folder(), rowGroup.id()).toString()));
        row.add(utf8Slice(FORMAT));
        if (partitions.type().isPresent()) {
            row.add(partitions.toRow(partitions.partition(rowGroup)));
        }
        row.add(rowGroup.rows());
        row.add(rowGroup.bytes());
        row.add(statistics.valueCounts(rowGroup));
        row.add(statistics.nullCounts(rowGroup));
        row.add(statistics.lowerBounds(rowGroup));
        row.add(statistics.upperBounds(rowGroup));
        row.add(rowGroup.addedVersion());
        row.add(utf8Slice(manifestLocation));
        row.add(javaUuidToTrinoUuid(rowGroup.id()));
        row.add(rowGroup.rows() - rowGroup.liveRows());
        row.add((DeferredValue) () -> indexedColumns(rowGroup));
        return row.toArray();
    }

    /**
     * Returns the names of the columns with an index that queries can use. Manifests do not have them, so this reads
     * the metadata of column groups.
     */
    private Block indexedColumns(RowGroup rowGroup)
            throws IOException
    {
        Set<Integer> indexed = StoredIndexes.read(fileSystem, table.folder(), rowGroup, indexable).usable();
        BlockBuilder names = VARCHAR.createBlockBuilder(null, indexed.size());
        for (AlbisColumn column : indexable) {
            if (indexed.contains(column.id())) {
                VARCHAR.writeString(names, column.name());
            }
        }
        return names.build();
    }
}
