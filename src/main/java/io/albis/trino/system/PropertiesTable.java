package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterators;
import com.google.common.collect.Maps;
import io.albis.table.json.JsonKind;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.SortColumns;
import io.albis.table.version.AlbisTable;
import io.albis.trino.relation.IndexFields;
import io.albis.trino.relation.PartitionTexts;
import io.albis.trino.relation.SortFields;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * Properties of a table as a whole, and the table properties that were set.
 */
final class PropertiesTable
{
    // the texts of these properties have ids of columns
    private static final Set<String> COLUMN_IDS = ImmutableSet.of(SortColumns.PROPERTY, PartitionFields.PROPERTY, IndexedColumns.PROPERTY);
    private static final List<ColumnMetadata> COLUMNS = ImmutableList.of(
            new ColumnMetadata("key", VARCHAR),
            new ColumnMetadata("value", VARCHAR));

    private PropertiesTable() {}

    static SystemTable create(SchemaTableName name, AlbisTable table)
    {
        return new RowsTable(name, COLUMNS, _ -> Iterators.transform(properties(table).entrySet().iterator(), property -> new Object[] {
                utf8Slice(property.getKey()),
                utf8Slice(property.getValue()),
        }));
    }

    private static Map<String, String> properties(AlbisTable table)
    {
        return ImmutableMap.<String, String>builder()
                .put("format", FilesTable.FORMAT)
                .put("provider", "albis")
                .put("current-snapshot-id", String.valueOf(table.version().version()))
                .put("location", table.folder().toString())
                .put("format-version", String.valueOf(JsonKind.VERSION.formatVersion()))
                .put("uuid", table.uuid().toString())
                // names of columns replace their ids
                .putAll(Maps.filterKeys(table.version().properties(), name -> !COLUMN_IDS.contains(name)))
                .putAll(joined(SortColumns.PROPERTY, SortFields.describe(table.version().properties(), table.version().columns())))
                .putAll(joined(IndexedColumns.PROPERTY, IndexFields.describe(table.version().properties(), table.version().columns())))
                .putAll(joined(PartitionFields.PROPERTY, PartitionTexts.describe(table.version().properties(), table.version().columns())))
                .buildOrThrow();
    }

    private static Map<String, String> joined(String property, List<String> texts)
    {
        return texts.isEmpty() ? ImmutableMap.of() : ImmutableMap.of(property, String.join(", ", texts));
    }
}
