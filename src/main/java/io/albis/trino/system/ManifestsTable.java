package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import io.albis.table.model.ManifestEntry;
import io.albis.table.path.TablePaths;
import io.albis.table.version.AlbisTable;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;

import java.util.List;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The manifests of a version, as the version describes them.
 */
final class ManifestsTable
{
    private static final List<ColumnMetadata> COLUMNS = ImmutableList.of(
            new ColumnMetadata("content", INTEGER),
            new ColumnMetadata("path", VARCHAR),
            new ColumnMetadata("length", BIGINT),
            new ColumnMetadata("added_snapshot_id", BIGINT),
            new ColumnMetadata("existing_data_files_count", INTEGER),
            new ColumnMetadata("existing_rows_count", BIGINT),
            new ColumnMetadata("deleted_data_files_count", INTEGER),
            new ColumnMetadata("deleted_rows_count", BIGINT));

    private static final long DATA = 0;

    private ManifestsTable() {}

    static SystemTable create(SchemaTableName name, AlbisTable table)
    {
        TablePaths paths = new TablePaths(table.folder());
        return new RowsTable(name, COLUMNS, _ -> Iterators.transform(table.version().manifests().iterator(), manifest -> row(manifest, paths)));
    }

    private static Object[] row(ManifestEntry manifest, TablePaths paths)
    {
        return new Object[] {
                DATA,
                utf8Slice(paths.manifest(manifest.id()).toString()),
                manifest.length(),
                manifest.addedVersions().last(),
                (long) manifest.rowGroups(),
                manifest.rows(),
                (long) manifest.removed().size(),
                manifest.rows() - manifest.liveRows(),
        };
    }
}
