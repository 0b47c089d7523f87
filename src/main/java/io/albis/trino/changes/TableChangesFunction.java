package io.albis.trino.changes;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.relation.TableDescriptions;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnSchema;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.function.table.AbstractConnectorTableFunction;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ArgumentSpecification;
import io.trino.spi.function.table.ScalarArgument;
import io.trino.spi.function.table.ScalarArgumentSpecification;
import io.trino.spi.function.table.TableFunctionAnalysis;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.function.table.ReturnTypeSpecification.GenericTable.GENERIC_TABLE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/**
 * The table function table_changes, which has the arguments and columns of that of Trino's Iceberg connector.
 */
public class TableChangesFunction
        extends AbstractConnectorTableFunction
{
    private static final String SCHEMA_NAME = "SCHEMA_NAME";
    private static final String TABLE_NAME = "TABLE_NAME";
    private static final String START_SNAPSHOT_ID = "START_SNAPSHOT_ID";
    private static final String END_SNAPSHOT_ID = "END_SNAPSHOT_ID";

    private final ChangedVersions changes;

    @Inject
    public TableChangesFunction(ChangedVersions changes)
    {
        super("system",
                "table_changes",
                ImmutableList.of(
                        argument(SCHEMA_NAME, VARCHAR),
                        argument(TABLE_NAME, VARCHAR),
                        argument(START_SNAPSHOT_ID, BIGINT),
                        argument(END_SNAPSHOT_ID, BIGINT)),
                GENERIC_TABLE,
                "Returns the rows that were deleted and inserted between two versions of a table");
        this.changes = requireNonNull(changes, "changes is null");
    }

    private static ArgumentSpecification argument(String name, Type type)
    {
        return ScalarArgumentSpecification.builder()
                .name(name)
                .type(type)
                .build();
    }

    @Override
    public TableFunctionAnalysis analyze(ConnectorSession session, ConnectorTransactionHandle transaction, Map<String, Argument> arguments, ConnectorAccessControl accessControl)
    {
        SchemaTableName name = new SchemaTableName(name(arguments, SCHEMA_NAME), name(arguments, TABLE_NAME));
        long start = (long) value(arguments, START_SNAPSHOT_ID);
        long end = (long) value(arguments, END_SNAPSHOT_ID);
        if (start > end) {
            throw new TrinoException(INVALID_FUNCTION_ARGUMENT, "start_snapshot_id is %s and end_snapshot_id is %s, but the changes are those from an earlier to a later version".formatted(start, end));
        }
        // The messages of the next call say which versions and columns the table has
        accessControl.checkCanSelectFromColumns(null, name, Optional.empty(), ImmutableSet.of());
        AlbisTable table = changes.find(session, name, start, end);
        List<AlbisColumnHandle> columns = table.version().columns().stream()
                .map(TableDescriptions::columnHandle)
                .collect(toImmutableList());
        checkAccess(accessControl, name, columns);
        checkNames(name, columns);
        return TableFunctionAnalysis.builder()
                .returnedType(ChangeColumns.descriptor(columns))
                .handle(new TableChangesHandle(name.getSchemaName(), name.getTableName(), table.uuid(), table.folder().toString(), start, end, columns))
                .build();
    }

    private static String name(Map<String, Argument> arguments, String argument)
    {
        String name = ((Slice) value(arguments, argument)).toStringUtf8();
        if (name.isEmpty()) {
            throw new TrinoException(INVALID_FUNCTION_ARGUMENT, "The argument %s of table_changes is empty".formatted(argument));
        }
        return name;
    }

    private static Object value(Map<String, Argument> arguments, String name)
    {
        Object value = ((ScalarArgument) arguments.get(name)).getValue();
        if (value == null) {
            throw new TrinoException(INVALID_FUNCTION_ARGUMENT, "The argument %s of table_changes is null".formatted(name));
        }
        return value;
    }

    /**
     * Checks that the user may read all rows and columns. The engine applies neither filters nor masks to a function.
     */
    private static void checkAccess(ConnectorAccessControl accessControl, SchemaTableName name, List<AlbisColumnHandle> columns)
    {
        accessControl.checkCanSelectFromColumns(null, name, Optional.empty(), columns.stream()
                .map(AlbisColumnHandle::name)
                .collect(toImmutableSet()));
        List<ColumnSchema> schemas = columns.stream()
                .map(column -> ColumnSchema.builder()
                        .setName(column.name())
                        .setType(column.type())
                        .setHidden(false)
                        .build())
                .collect(toImmutableList());
        if (!accessControl.getRowFilters(null, name).isEmpty() || !accessControl.getColumnMasks(null, name, schemas).isEmpty()) {
            throw new TrinoException(NOT_SUPPORTED, "table_changes cannot read table '%s', because rows or columns of it are hidden from this user".formatted(name));
        }
    }

    private static void checkNames(SchemaTableName name, List<AlbisColumnHandle> columns)
    {
        for (AlbisColumnHandle column : columns) {
            if (ChangeColumns.TYPES.containsKey(column.name())) {
                throw new TrinoException(NOT_SUPPORTED, "Table '%s' has the column '%s', which is also a column of table_changes".formatted(name, column.name()));
            }
        }
    }
}
