package io.albis.benchmarks.planning;

import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorCapabilities;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorNodePartitioningProvider;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.EmptyPageSource;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.transaction.IsolationLevel;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * Plans queries and creates their splits with another connector, and reads nothing: each split has no rows. It has only
 * the parts that queries and procedures need.
 */
class FirstSplitConnector
        implements Connector
{
    private final Connector connector;
    private final FirstSplit firstSplit;

    public FirstSplitConnector(Connector connector, FirstSplit firstSplit)
    {
        this.connector = requireNonNull(connector, "connector is null");
        this.firstSplit = requireNonNull(firstSplit, "firstSplit is null");
    }

    @Override
    public ConnectorPageSourceProviderFactory getPageSourceProviderFactory()
    {
        return () -> new EmptySplits(firstSplit);
    }

    private record EmptySplits(FirstSplit firstSplit)
            implements ConnectorPageSourceProvider
    {
        @Override
        public ConnectorPageSource createPageSource(
                ConnectorTransactionHandle transaction,
                ConnectorSession session,
                ConnectorSplit split,
                ConnectorTableHandle table,
                Optional<ConnectorTableCredentials> tableCredentials,
                List<ColumnHandle> columns,
                DynamicFilter dynamicFilter,
                MemoryContext memoryContext)
        {
            firstSplit.opened();
            return new EmptyPageSource();
        }
    }

    @Override
    public ConnectorTransactionHandle beginTransaction(IsolationLevel isolationLevel, boolean readOnly, boolean autoCommit)
    {
        return connector.beginTransaction(isolationLevel, readOnly, autoCommit);
    }

    @Override
    public void commit(ConnectorTransactionHandle transaction)
    {
        connector.commit(transaction);
    }

    @Override
    public void rollback(ConnectorTransactionHandle transaction)
    {
        connector.rollback(transaction);
    }

    @Override
    public ConnectorMetadata getMetadata(ConnectorSession session, ConnectorTransactionHandle transaction)
    {
        return connector.getMetadata(session, transaction);
    }

    @Override
    public ConnectorSplitManager getSplitManager()
    {
        return connector.getSplitManager();
    }

    @Override
    public ConnectorNodePartitioningProvider getNodePartitioningProvider()
    {
        return connector.getNodePartitioningProvider();
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return connector.getSessionProperties();
    }

    @Override
    public Set<Procedure> getProcedures()
    {
        return connector.getProcedures();
    }

    @Override
    public Set<ConnectorCapabilities> getCapabilities()
    {
        return connector.getCapabilities();
    }

    @Override
    public void shutdown()
    {
        connector.shutdown();
    }
}
