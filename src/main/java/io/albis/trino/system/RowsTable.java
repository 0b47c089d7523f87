package io.albis.trino.system;

import io.albis.table.manifest.ConcurrentReads;
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
import java.util.Optional;

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
    private final Optional<ConcurrentReads> deferredReads;

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
        this(name, columns, rows, Optional.empty());
    }

    /**
     * @param deferredReads reads the values of the last column if they are {@link DeferredValue}s; empty if they are
     *         not
     */
    RowsTable(SchemaTableName name, List<ColumnMetadata> columns, Rows rows, Optional<ConcurrentReads> deferredReads)
    {
        this.metadata = new ConnectorTableMetadata(name, columns);
        this.rows = requireNonNull(rows, "rows is null");
        this.deferredReads = requireNonNull(deferredReads, "deferredReads is null");
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
        return new RowsPageSource(types, deferredReads, () -> rows.of(session));
    }
}
