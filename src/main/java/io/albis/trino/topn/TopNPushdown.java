package io.albis.trino.topn;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.OrderKeys;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.HiddenColumnHandle;
import io.albis.trino.handle.TopN;
import io.albis.trino.handle.TopN.Key;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SortItem;
import io.trino.spi.connector.TopNApplicationResult;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.albis.trino.config.AlbisSessionProperties.isTopNPushdownEnabled;
import static io.albis.trino.handle.HiddenColumn.ROW_ID;

/**
 * Accepts ORDER BY with LIMIT from the engine, which applies them as well. The scan leaves out rows that cannot be
 * among the first ones.
 */
public final class TopNPushdown
{
    /**
     * The maximum number of rows, because each scan keeps this many values in memory.
     */
    static final long MAX_ROWS = 100_000;

    private TopNPushdown() {}

    /**
     * Applies an order and a limit to a table handle. The engine applies them directly above the scan, and evaluates no
     * predicate in between.
     *
     * @return empty if they change nothing, or if the reader cannot compare the values of the first key
     */
    public static Optional<TopNApplicationResult<ConnectorTableHandle>> apply(ConnectorSession session, AlbisTableHandle table, long rows, List<SortItem> keys, Map<String, ColumnHandle> assignments)
    {
        if (rows <= 0 || rows > MAX_ROWS || keys.isEmpty() || !isTopNPushdownEnabled(session)) {
            return Optional.empty();
        }
        // a predicate that only prunes says nothing about the rows that the engine keeps, and a row that the statement
        // changes must not be left out
        if (!table.withTopN(Optional.empty()).selectsByPredicate() || !table.enforcesAll() || assignments.containsValue(new HiddenColumnHandle(ROW_ID))) {
            return Optional.empty();
        }
        List<Key> compared = compared(keys, assignments);
        if (compared.isEmpty()) {
            return Optional.empty();
        }
        TopN topN = new TopN(rows, compared, compared.size() < keys.size());
        // only fewer rows of the same order are progress, otherwise the optimizer would apply them in an endless loop
        boolean progress = table.topN().isEmpty() || (table.topN().get().rows() > rows && isSameOrder(table.topN().get(), topN));
        return progress ? Optional.of(new TopNApplicationResult<>(table.withTopN(Optional.of(topN)), false, false)) : Optional.empty();
    }

    /**
     * Returns the first keys, up to one that the reader cannot compare.
     */
    private static List<Key> compared(List<SortItem> keys, Map<String, ColumnHandle> assignments)
    {
        ImmutableList.Builder<Key> compared = ImmutableList.builder();
        for (SortItem key : keys) {
            if (!(assignments.get(key.getName()) instanceof AlbisColumnHandle column) || !OrderKeys.of(column.type()).hasOrder()) {
                break;
            }
            compared.add(new Key(column, key.getSortOrder()));
        }
        return compared.build();
    }

    /**
     * Returns whether a scan may return rows in which the first key is NaN, which no predicate on the key contains.
     */
    public static boolean mayBeNaN(AlbisTableHandle table, TopN topN)
    {
        return OrderKeys.of(topN.key().type()).isFloatingPoint() && table.enforced().getDomains()
                .map(domains -> domains.get(topN.key()))
                .map(domain -> domain.getValues().isAll())
                .orElse(true);
    }

    private static boolean isSameOrder(TopN left, TopN right)
    {
        return left.keys().equals(right.keys()) && left.furtherKeys() == right.furtherKeys();
    }
}
