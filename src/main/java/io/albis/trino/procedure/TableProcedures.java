package io.albis.trino.procedure;

import com.google.common.collect.ImmutableMap;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change;
import io.albis.table.model.TableColumn;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.relation.ColumnGroupDefaults;
import io.albis.trino.relation.TableLoader;
import io.albis.trino.usage.ColumnUsage;
import io.albis.trino.write.IndexHandles;
import io.albis.trino.write.OptimizeHandles;
import io.albis.trino.write.RegroupHandles;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.TableProcedureMetadata;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static io.albis.trino.procedure.TableProcedure.COLUMN_NAME;
import static io.albis.trino.procedure.TableProcedure.NAME;
import static io.albis.trino.procedure.TableProcedure.SNAPSHOT_ID;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Arrays.stream;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Checks the arguments of the procedures of ALTER TABLE EXECUTE, and runs those that read and write no rows. The
 * coordinator alone runs them.
 */
public class TableProcedures
{
    private final CatalogName catalogName;
    private final TransactionMode mode;
    private final Warehouse warehouse;
    private final TableLoader tables;
    private final ColumnGroupDefaults columnGroupDefaults;
    private final ColumnUsage usage;

    public TableProcedures(CatalogName catalogName, TransactionMode mode, Warehouse warehouse, TableLoader tables, ColumnGroupDefaults columnGroupDefaults, ColumnUsage usage)
    {
        this.catalogName = requireNonNull(catalogName, "catalogName is null");
        this.mode = requireNonNull(mode, "mode is null");
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.columnGroupDefaults = requireNonNull(columnGroupDefaults, "columnGroupDefaults is null");
        this.usage = requireNonNull(usage, "usage is null");
    }

    public static Set<TableProcedureMetadata> all()
    {
        return stream(TableProcedure.values())
                .map(TableProcedure::metadata)
                .collect(toImmutableSet());
    }

    /**
     * Checks the arguments of a procedure.
     *
     * @param arguments values by name; null if the statement does not set them
     * @throws TrinoException with code INVALID_PROCEDURE_ARGUMENT if an argument is missing
     */
    public ConnectorTableExecuteHandle prepare(ConnectorSession session, AlbisTableHandle table, String procedure, Map<String, Object> arguments, RetryMode retryMode)
    {
        AlbisTable loaded = tables.load(table);
        translateAction(() -> warehouse.checkWritable(loaded));
        return switch (TableProcedure.valueOf(procedure)) {
            case ROLLBACK_TO_SNAPSHOT -> new AlbisTableExecuteHandle(table, procedure, Optional.of((Long) required(arguments, SNAPSHOT_ID)), Optional.empty());
            case CREATE_TAG -> new AlbisTableExecuteHandle(table, procedure, Optional.ofNullable((Long) arguments.get(SNAPSHOT_ID)), Optional.of((String) required(arguments, NAME)));
            case DROP_TAG -> new AlbisTableExecuteHandle(table, procedure, Optional.empty(), Optional.of((String) required(arguments, NAME)));
            case SET_NOT_NULL -> new AlbisTableExecuteHandle(table, procedure, Optional.empty(), Optional.of((String) required(arguments, COLUMN_NAME)));
            case EXPIRE_SNAPSHOTS -> ExpireSnapshots.handle(table, arguments);
            case REMOVE_ORPHAN_FILES -> RemoveOrphanFiles.handle(table, arguments);
            case OPTIMIZE -> OptimizeHandles.create(session, table, loaded, Optimize.rowGroupSize(arguments), Optimize.sortedBy(arguments), retryMode);
            case REGROUP -> RegroupHandles.create(session, table, loaded, Regroup.columnGroups(loaded, arguments, columnGroupDefaults.grouping(), usage), Regroup.all(arguments), retryMode);
            case ADD_INDEX -> IndexHandles.create(session, table, loaded, IndexArguments.columns(loaded, arguments), false, retryMode);
            case DROP_INDEX -> IndexHandles.create(session, table, loaded, IndexArguments.columns(loaded, arguments), true, retryMode);
        };
    }

    /**
     * Checks the arguments of a procedure on the rows of a materialized view.
     *
     * @throws TrinoException also with code NOT_SUPPORTED if the procedure would change the rows
     */
    public ConnectorTableExecuteHandle prepareOnStorage(ConnectorSession session, AlbisTableHandle storage, String procedure, Map<String, Object> arguments, RetryMode retryMode)
    {
        return switch (TableProcedure.valueOf(procedure)) {
            case EXPIRE_SNAPSHOTS, REMOVE_ORPHAN_FILES, OPTIMIZE, REGROUP, ADD_INDEX, DROP_INDEX -> prepare(session, storage, procedure, arguments, retryMode);
            case ROLLBACK_TO_SNAPSHOT, CREATE_TAG, DROP_TAG, SET_NOT_NULL -> throw new TrinoException(NOT_SUPPORTED, "The rows of a materialized view change only by REFRESH MATERIALIZED VIEW, so the procedure %s cannot run on '%s'".formatted(procedure, storage.schemaTableName()));
        };
    }

    private static Object required(Map<String, Object> arguments, String name)
    {
        Object value = arguments.get(name);
        if (value == null) {
            throw new TrinoException(INVALID_PROCEDURE_ARGUMENT, "Required procedure argument '%s' is missing".formatted(name));
        }
        return value;
    }

    /**
     * Runs a procedure. The engine never runs it again with retries, because the coordinator alone runs it.
     *
     * @return numbers by name, which the statement returns
     * @throws TrinoException also with code READ_ONLY_VIOLATION or AUTOCOMMIT_WRITE_CONFLICT
     */
    public Map<String, Long> execute(ConnectorSession session, ConnectorTableExecuteHandle handle)
    {
        mode.checkWrite(catalogName);
        return switch (handle) {
            case ExpireSnapshotsHandle expire -> execute(expire.tableHandle(), table -> ExpireSnapshots.execute(session, warehouse, table, expire));
            case RemoveOrphanFilesHandle remove -> execute(remove.tableHandle(), table -> RemoveOrphanFiles.execute(session, warehouse, table, remove));
            case AlbisTableExecuteHandle change -> execute(change.table(), table -> change(table, change));
            default -> throw new IllegalArgumentException("Unknown handle: " + handle);
        };
    }

    private Map<String, Long> execute(AlbisTableHandle handle, Function<AlbisTable, Map<String, Long>> procedure)
    {
        Map<String, Long> metrics = procedure.apply(tables.load(handle));
        tables.forget(handle.schemaTableName());
        return metrics;
    }

    private Map<String, Long> change(AlbisTable table, AlbisTableExecuteHandle handle)
    {
        translateAction(() -> {
            switch (TableProcedure.valueOf(handle.procedure())) {
                case ROLLBACK_TO_SNAPSHOT -> warehouse.rollback(table, handle.snapshotId().orElseThrow());
                case CREATE_TAG -> createTag(table, handle.name().orElseThrow(), handle.snapshotId());
                case DROP_TAG -> warehouse.alter(table, new Change.DropTag(handle.name().orElseThrow()));
                case SET_NOT_NULL -> warehouse.setNotNull(table, columnId(table, handle.name().orElseThrow()));
                case EXPIRE_SNAPSHOTS, REMOVE_ORPHAN_FILES, OPTIMIZE, REGROUP, ADD_INDEX, DROP_INDEX -> throw new IllegalArgumentException("The handle has no arguments of the procedure: " + handle);
            }
        });
        return ImmutableMap.of();
    }

    private static int columnId(AlbisTable table, String name)
    {
        return table.version().columns().stream()
                .filter(column -> column.name().equals(name.toLowerCase(ENGLISH)))
                .findFirst()
                .map(TableColumn::id)
                .orElseThrow(() -> new TrinoException(INVALID_PROCEDURE_ARGUMENT, "The table has no column '%s'".formatted(name)));
    }

    private void createTag(AlbisTable table, String name, Optional<Long> number)
            throws IOException
    {
        OptionalLong tagged = OptionalLong.empty();
        if (number.isPresent()) {
            tagged = OptionalLong.of(warehouse.history(table).get(number.get()).version());
        }
        warehouse.alter(table, new Change.CreateTag(name, tagged));
    }
}
