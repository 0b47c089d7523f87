package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTableVersion;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.FixedPageSource;
import io.trino.spi.connector.FixedSplitSource;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.transaction.IsolationLevel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Reads {@link PagesTable}s, each in one split, so that the order of the rows is preserved.
 */
final class PagesConnector
        implements Connector
{
    private static final String SCHEMA = "default";

    private final Map<String, PagesTable> tables;

    PagesConnector(Map<String, PagesTable> tables)
    {
        this.tables = requireNonNull(tables, "tables is null");
    }

    @Override
    public ConnectorTransactionHandle beginTransaction(IsolationLevel isolationLevel, boolean readOnly, boolean autoCommit)
    {
        return PagesTransactionHandle.INSTANCE;
    }

    @Override
    public ConnectorMetadata getMetadata(ConnectorSession session, ConnectorTransactionHandle transactionHandle)
    {
        return new PagesMetadata();
    }

    @Override
    public ConnectorSplitManager getSplitManager()
    {
        return new ConnectorSplitManager()
        {
            @Override
            public ConnectorSplitSource getSplits(
                    ConnectorTransactionHandle transaction,
                    ConnectorSession session,
                    ConnectorTableHandle table,
                    Set<ColumnHandle> dynamicFilterColumns,
                    Constraint constraint)
            {
                return new FixedSplitSource(new PagesSplit());
            }
        };
    }

    @Override
    public ConnectorPageSourceProvider getPageSourceProvider()
    {
        return new ConnectorPageSourceProvider()
        {
            @Override
            public ConnectorPageSource createPageSource(
                    ConnectorTransactionHandle transaction,
                    ConnectorSession session,
                    ConnectorSplit split,
                    ConnectorTableHandle table,
                    Optional<ConnectorTableCredentials> tableCredentials,
                    List<ColumnHandle> columns,
                    DynamicFilter dynamicFilter)
            {
                int[] channels = columns.stream()
                        .mapToInt(column -> ((PagesColumnHandle) column).channel())
                        .toArray();
                return new FixedPageSource(pagesTable(table).pages().stream()
                        .map(page -> page.getColumns(channels))
                        .collect(toImmutableList()));
            }
        };
    }

    @Override
    public void shutdown() {}

    private PagesTable pagesTable(ConnectorTableHandle handle)
    {
        return tables.get(((PagesTableHandle) handle).name());
    }

    private class PagesMetadata
            implements ConnectorMetadata
    {
        @Override
        public List<String> listSchemaNames(ConnectorSession session)
        {
            return ImmutableList.of(SCHEMA);
        }

        @Override
        public ConnectorTableHandle getTableHandle(
                ConnectorSession session,
                SchemaTableName tableName,
                Optional<ConnectorTableVersion> startVersion,
                Optional<ConnectorTableVersion> endVersion)
        {
            return tables.containsKey(tableName.getTableName()) ? new PagesTableHandle(tableName.getTableName()) : null;
        }

        @Override
        public ConnectorTableMetadata getTableMetadata(ConnectorSession session, ConnectorTableHandle table)
        {
            return new ConnectorTableMetadata(new SchemaTableName(SCHEMA, ((PagesTableHandle) table).name()), pagesTable(table).columns());
        }

        @Override
        public Map<String, ColumnHandle> getColumnHandles(ConnectorSession session, ConnectorTableHandle table)
        {
            ImmutableMap.Builder<String, ColumnHandle> handles = ImmutableMap.builder();
            List<ColumnMetadata> columns = pagesTable(table).columns();
            for (int channel = 0; channel < columns.size(); channel++) {
                handles.put(columns.get(channel).getName(), new PagesColumnHandle(channel));
            }
            return handles.buildOrThrow();
        }

        @Override
        public ColumnMetadata getColumnMetadata(ConnectorSession session, ConnectorTableHandle table, ColumnHandle column)
        {
            return pagesTable(table).columns().get(((PagesColumnHandle) column).channel());
        }
    }

    // Public so that JSON serialization works

    public record PagesTableHandle(String name)
            implements ConnectorTableHandle {}

    public record PagesColumnHandle(int channel)
            implements ColumnHandle {}

    public record PagesSplit()
            implements ConnectorSplit {}

    public enum PagesTransactionHandle
            implements ConnectorTransactionHandle
    {
        INSTANCE
    }
}
