package io.albis.trino.metadata;

import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.RowTests;
import io.albis.trino.relation.TableLoader;
import io.albis.trino.statistics.AnswerStatistics;
import io.albis.trino.statistics.TableEstimate;
import io.albis.trino.statistics.TableStatisticsReader;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.statistics.TableStatistics;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import static io.albis.trino.config.AlbisSessionProperties.isRowGroupPruning;
import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * Estimates of the scans in one transaction. The optimizer requests the statistics of a handle many times, so each
 * estimate is kept.
 */
class TableEstimateCache
{
    private final TableLoader tables;
    private final ConcurrentMap<AlbisTableHandle, TableEstimate> estimates = new ConcurrentHashMap<>();

    public TableEstimateCache(TableLoader tables)
    {
        this.tables = requireNonNull(tables, "tables is null");
    }

    /**
     * Returns the statistics of what a scan returns.
     */
    public TableStatistics statistics(ConnectorSession session, AlbisTableHandle handle)
    {
        if (handle.answer().isPresent()) {
            return AnswerStatistics.of(handle.answer().get());
        }
        TableStatistics statistics = get(session, handle).statistics();
        if (handle.sample().isEmpty()) {
            return statistics;
        }
        return new TableStatistics(Estimate.of(statistics.getRowCount().getValue() * handle.sample().getAsDouble()), statistics.getColumnStatistics());
    }

    public TableEstimate get(ConnectorSession session, AlbisTableHandle handle)
    {
        // neither the columns of a scan matter nor what the engine applies as well, and a sample is a share of the
        // result
        AlbisTableHandle table = handle.withColumns(Optional.empty())
                .withLimit(OptionalLong.empty())
                .withTopN(Optional.empty())
                .withSample(OptionalDouble.empty())
                .withBuckets(Optional.empty())
                .withTests(RowTests.NONE);
        TableEstimate known = estimates.get(table);
        if (known != null) {
            return known;
        }
        // not within computeIfAbsent, which could block the estimates of other tables while this one reads storage
        TableEstimate read = read(session, table);
        known = estimates.putIfAbsent(table, read);
        return known == null ? read : known;
    }

    private TableEstimate read(ConnectorSession session, AlbisTableHandle table)
    {
        TupleDomain<AlbisColumnHandle> pruning = isRowGroupPruning(session) ? table.pruning() : TupleDomain.all();
        return translate(() -> TableStatisticsReader.read(tables.load(table), table.enforced(), pruning));
    }
}
