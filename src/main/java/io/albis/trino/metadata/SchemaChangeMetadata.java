package io.albis.trino.metadata;

import io.albis.format.schema.InitialValue;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change;
import io.albis.table.alter.FieldChange;
import io.albis.table.alter.SchemaChange;
import io.albis.table.alter.SchemaChange.ColumnPlace;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import io.albis.trino.config.DefaultGrouping;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.procedure.TableProcedures;
import io.albis.trino.relation.DefaultLiteral;
import io.albis.trino.relation.PartitionTexts;
import io.albis.trino.relation.TableDefinitionFactory;
import io.albis.trino.relation.TableLoader;
import io.albis.trino.relation.TablePropertyChanges;
import io.albis.trino.view.MaterializedViews;
import io.albis.trino.view.ViewOperations;
import io.albis.trino.write.TableWrites;
import io.albis.trino.write.WholeRowGroupDeletes;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ColumnPosition;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.metadata.TableHandles.readable;
import static io.albis.trino.metadata.TableHandles.writable;
import static io.trino.spi.StandardErrorCode.COLUMN_NOT_FOUND;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * The metadata operations of ALTER TABLE on columns and properties, and of COMMENT.
 */
abstract class SchemaChangeMetadata
        extends RowChangeMetadata
{
    private final Warehouse warehouse;
    private final TableLoader tables;
    private final TableWrites writes;

    protected SchemaChangeMetadata(Warehouse warehouse, TableLoader tables, TableWrites writes, WholeRowGroupDeletes deletes, TableProcedures procedures, SchemaOperations schemas, ViewOperations views, MaterializedViews materializedViews, RelationListing listing)
    {
        super(tables, writes, deletes, procedures, schemas, views, materializedViews, listing);
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.writes = requireNonNull(writes, "writes is null");
    }

    @Override
    public void addColumn(ConnectorSession session, ConnectorTableHandle table, ColumnMetadata column, ColumnPosition position)
    {
        TableDefinitionFactory.checkName(column.getName());
        TableDefinitionFactory.checkType(column.getName(), column.getType());
        Optional<InitialValue> initial = column.getDefaultValue()
                .flatMap(literal -> DefaultLiteral.evaluate(literal, column.getType()))
                .map(value -> InitialValue.of(column.getType(), value));
        boolean apart = writes.columnGroupDefaults().grouping() == DefaultGrouping.COLUMN;
        alter(table, new SchemaChange.AddColumn(column.getName(), column.getType(), column.isNullable(), column.getComment(), column.getDefaultValue(), initial, place(table, position), apart));
    }

    private ColumnPlace place(ConnectorTableHandle table, ColumnPosition position)
    {
        return switch (position) {
            case ColumnPosition.First _ -> ColumnPlace.first();
            case ColumnPosition.Last _ -> ColumnPlace.last();
            case ColumnPosition.After after -> new ColumnPlace(columnId(table, after.columnName()));
        };
    }

    private int columnId(ConnectorTableHandle table, String name)
    {
        return column(table, name).id();
    }

    private TableColumn column(ConnectorTableHandle table, String name)
    {
        // the engine passes paths of fields as the user wrote them
        String columnName = name.toLowerCase(ENGLISH);
        return tables.load(writable(table)).version().columns().stream()
                .filter(column -> column.name().equals(columnName))
                .findFirst()
                .orElseThrow(() -> new TrinoException(COLUMN_NOT_FOUND, "Column '%s' does not exist, or is hidden".formatted(name)));
    }

    @Override
    public void dropColumn(ConnectorSession session, ConnectorTableHandle table, ColumnHandle column)
    {
        alter(table, new SchemaChange.DropColumn(stored(column).id()));
    }

    @Override
    public void renameColumn(ConnectorSession session, ConnectorTableHandle table, ColumnHandle source, String target)
    {
        TableDefinitionFactory.checkName(target);
        TableVersion version = tables.load(writable(table)).version();
        PartitionTexts.checkRename(version.properties(), version.columns(), stored(source).id(), target);
        alter(table, new SchemaChange.RenameColumn(stored(source).id(), target));
    }

    @Override
    public void setColumnType(ConnectorSession session, ConnectorTableHandle table, ColumnHandle column, Type type)
    {
        TableDefinitionFactory.checkType(stored(column).name(), type);
        alter(table, new SchemaChange.SetType(stored(column).id(), type));
    }

    @Override
    public void addField(ConnectorSession session, ConnectorTableHandle table, List<String> parentPath, String fieldName, Type type, boolean ignoreExisting)
    {
        TableColumn column = column(table, parentPath.getFirst());
        TableDefinitionFactory.checkType(column.name(), type);
        alter(table, new FieldChange.AddField(column.id(), FieldPaths.resolve(column, fields(parentPath)), fieldName, type, ignoreExisting));
    }

    @Override
    public void dropField(ConnectorSession session, ConnectorTableHandle table, ColumnHandle column, List<String> fieldPath)
    {
        TableColumn changed = column(table, stored(column).name());
        alter(table, new FieldChange.DropField(changed.id(), FieldPaths.resolve(changed, fieldPath)));
    }

    @Override
    public void renameField(ConnectorSession session, ConnectorTableHandle table, List<String> fieldPath, String target)
    {
        TableColumn column = column(table, fieldPath.getFirst());
        alter(table, new FieldChange.RenameField(column.id(), FieldPaths.resolve(column, fields(fieldPath)), target));
    }

    @Override
    public void setFieldType(ConnectorSession session, ConnectorTableHandle table, List<String> fieldPath, Type type)
    {
        TableColumn column = column(table, fieldPath.getFirst());
        TableDefinitionFactory.checkType(column.name(), type);
        alter(table, new FieldChange.SetFieldType(column.id(), FieldPaths.resolve(column, fields(fieldPath)), type));
    }

    /**
     * Returns the names of a path without that of the column.
     */
    private static List<String> fields(List<String> path)
    {
        return path.subList(1, path.size());
    }

    @Override
    public void setDefaultValue(ConnectorSession session, ConnectorTableHandle table, ColumnHandle column, String defaultValue)
    {
        setDefault(table, stored(column), Optional.of(defaultValue));
    }

    @Override
    public void dropDefaultValue(ConnectorSession session, ConnectorTableHandle table, ColumnHandle column)
    {
        setDefault(table, stored(column), Optional.empty());
    }

    private void setDefault(ConnectorTableHandle table, AlbisColumnHandle column, Optional<String> defaultValue)
    {
        alter(table, new SchemaChange.SetDefault(column.id(), column.type(), defaultValue));
    }

    @Override
    public void dropNotNullConstraint(ConnectorSession session, ConnectorTableHandle table, ColumnHandle column)
    {
        alter(table, new SchemaChange.DropNotNull(stored(column).id()));
    }

    @Override
    public void setTableProperties(ConnectorSession session, ConnectorTableHandle table, Map<String, Optional<Object>> properties)
    {
        alter(table, TablePropertyChanges.of(properties, tables.load(writable(table)).version().columns(), writes.columnGroupDefaults()));
    }

    @Override
    public void setTableComment(ConnectorSession session, ConnectorTableHandle table, Optional<String> comment)
    {
        alter(table, new Change.TableComment(comment));
    }

    @Override
    public void setColumnComment(ConnectorSession session, ConnectorTableHandle table, ColumnHandle column, Optional<String> comment)
    {
        if (!(column instanceof AlbisColumnHandle stored)) {
            throw new TrinoException(NOT_SUPPORTED, "Column %s is hidden, and a hidden column cannot have a comment".formatted(column));
        }
        alter(table, new Change.ColumnComment(stored.id(), comment));
    }

    private static AlbisColumnHandle stored(ColumnHandle column)
    {
        if (column instanceof AlbisColumnHandle stored) {
            return stored;
        }
        throw new TrinoException(NOT_SUPPORTED, "Column %s is hidden, and a hidden column cannot be changed".formatted(column));
    }

    private void alter(ConnectorTableHandle table, Change change)
    {
        AlbisTable loaded = tables.load(writable(table));
        translate(() -> warehouse.alter(loaded, change));
        tables.forget(readable(table).schemaTableName());
    }
}
