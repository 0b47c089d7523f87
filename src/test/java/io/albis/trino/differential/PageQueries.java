package io.albis.trino.differential;

import com.google.inject.Key;
import io.trino.Session;
import io.trino.client.direct.DirectTrinoClient;
import io.trino.client.direct.DirectTrinoClient.QueryResultsListener;
import io.trino.dispatcher.DispatchQuery;
import io.trino.execution.QueryInfo;
import io.trino.execution.QueryManagerConfig;
import io.trino.execution.QueryState;
import io.trino.operator.DirectExchangeClientSupplier;
import io.trino.server.SessionContext;
import io.trino.server.testing.TestingTrinoServer;
import io.trino.spi.Page;
import io.trino.spi.block.BlockEncodingSerde;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Runs queries and returns their results as pages. The client protocol would be slow, and would not distinguish
 * different NaNs.
 */
final class PageQueries
{
    private final DirectTrinoClient client;

    PageQueries(TestingTrinoServer server)
    {
        client = new DirectTrinoClient(
                server.getDispatchManager(),
                server.getQueryManager(),
                server.getInstance(Key.get(QueryManagerConfig.class)),
                server.getInstance(Key.get(DirectExchangeClientSupplier.class)),
                server.getInstance(Key.get(BlockEncodingSerde.class)));
    }

    QueryPages execute(Session session, String sql)
    {
        Listener listener = new Listener();
        DispatchQuery query = client.execute(SessionContext.fromSession(session), sql, listener);
        QueryInfo info = query.getFullQueryInfo();
        if (info.getState() != QueryState.FINISHED) {
            throw info.getFailureInfo().toException();
        }
        return new QueryPages(listener.types, listener.pages);
    }

    private static class Listener
            implements QueryResultsListener
    {
        private final List<Page> pages = new ArrayList<>();
        private List<Type> types = List.of();

        @Override
        public void setOutputColumns(List<String> columnNames, List<Type> columnTypes)
        {
            types = requireNonNull(columnTypes, "columnTypes is null");
        }

        @Override
        public void consumeOutputPage(Page page)
        {
            pages.add(page);
        }
    }
}
