package io.albis.trino.system;

import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;

import java.util.Iterator;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.connector.SystemTable.Distribution.SINGLE_COORDINATOR;
import static java.util.Objects.requireNonNull;

/**
 * A system table whose rows the coordinator makes one by one. The engine evaluates all predicates.
 */
final class RowsTable
        implements SystemTable
{
    private final ConnectorTableMetadata metadata;
    private final Rows rows;
    private final boolean defersLast;

    /**
     * Makes the rows of a table.
     */
    interface Rows
    {
        /**
         * @return rows with one native value, or null, for each column; the last one may be a {@link DeferredValue}
         */
        Iterator<Object[]> of(ConnectorSession session);
    }

    RowsTable(SchemaTableName name, List<ColumnMetadata> columns, Rows rows)
    {
        this(name, columns, rows, false);
    }

    /**
     * @param defersLast whether the values of the last column are {@link DeferredValue}s
     */
    RowsTable(SchemaTableName name, List<ColumnMetadata> columns, Rows rows, boolean defersLast)
    {
        this.metadata = new ConnectorTableMetadata(name, columns);
        this.rows = requireNonNull(rows, "rows is null");
        this.defersLast = defersLast;
    }

    @Override
    public Distribution getDistribution()
    {
        return SINGLE_COORDINATOR;
    }

    @Override
    public ConnectorTableMetadata getTableMetadata()
    {
        return metadata;
    }

    @Override
    public ConnectorPageSource pageSource(ConnectorTransactionHandle transactionHandle, ConnectorSession session, TupleDomain<Integer> constraint)
    {
        List<Type> types = metadata.getColumns().stream()
                .map(ColumnMetadata::getType)
                .collect(toImmutableList());
        return new RowsPageSource(types, defersLast, () -> rows.of(session));
    }
}
