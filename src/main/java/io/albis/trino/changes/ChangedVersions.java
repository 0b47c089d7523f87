package io.albis.trino.changes;

import com.google.common.collect.AbstractIterator;
import com.google.inject.Inject;
import io.albis.table.Warehouse;
import io.albis.table.row.RowChanges;
import io.albis.table.version.AlbisTable;
import io.albis.trino.error.AlbisErrors;
import io.albis.trino.error.AlbisErrors.Operation;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.TableNotFoundException;

import java.util.Iterator;

import static io.albis.table.model.TableException.Reason.VERSION_NOT_FOUND;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static java.util.Objects.requireNonNull;

/**
 * Finds the versions whose changes a call returns, and the row groups that they have changed, on the coordinator.
 */
public class ChangedVersions
{
    private final AlbisMetadataFactory metadataFactory;

    @Inject
    public ChangedVersions(AlbisMetadataFactory metadataFactory)
    {
        this.metadataFactory = requireNonNull(metadataFactory, "metadataFactory is null");
    }

    /**
     * Returns a table as it was at the last version of a call.
     *
     * @throws TableNotFoundException if there is no such table
     * @throws TrinoException with code INVALID_FUNCTION_ARGUMENT if a version does not exist or has expired, or
     *         NOT_SUPPORTED if the rows of the first version cannot be read with the columns of the last one
     */
    AlbisTable find(ConnectorSession session, SchemaTableName name, long startVersion, long endVersion)
    {
        Warehouse warehouse = metadataFactory.openWarehouse(session);
        AlbisTable table = translate(() -> warehouse.loadTable(name.getSchemaName(), name.getTableName()))
                .filter(found -> !found.version().isView())
                .orElseThrow(() -> new TableNotFoundException(name));
        return translate(() -> warehouse.at(table, warehouse.rowHistory(table).check(startVersion, endVersion)));
    }

    /**
     * Returns the versions that have changed rows. Each is read when the iterator gets to it, with the exceptions of
     * {@link #find}.
     */
    public Iterator<RowChanges> versions(ConnectorSession session, TableChangesHandle function)
    {
        Warehouse warehouse = metadataFactory.openWarehouse(session);
        Iterator<RowChanges> versions = translate(() -> warehouse.rowHistory(warehouse.loadTableVersion(
                        function.schemaName(),
                        function.tableName(),
                        Location.of(function.folder()),
                        function.tableId(),
                        function.endVersion()))
                .since(function.startVersion()));
        return new AbstractIterator<>()
        {
            @Override
            protected RowChanges computeNext()
            {
                return translate(() -> versions.hasNext() ? versions.next() : endOfData());
            }
        };
    }

    /**
     * Runs an operation as {@link AlbisErrors#translate(Operation)} does. The numbers of versions are arguments of the
     * function.
     */
    private static <T> T translate(Operation<T> operation)
    {
        return AlbisErrors.translate(operation, VERSION_NOT_FOUND, INVALID_FUNCTION_ARGUMENT);
    }
}
