package io.albis.trino.optimize;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.albis.format.run.SegmentShare;
import io.albis.format.write.WriterOptions;
import io.albis.table.optimize.RewriteUnit;
import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.ColumnRewriteHandle;
import io.albis.trino.handle.OptimizeHandle;
import io.albis.trino.handle.OptimizeSplit;
import io.albis.trino.handle.RewriteHandle;
import io.albis.trino.handle.RowTests;
import io.albis.trino.read.AlbisPageSourceProviderFactory;
import io.albis.trino.sink.AlbisPageSinkProvider;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Creates the page sources of procedures that write row groups again, and leaves other scans to the readers of tables.
 */
public class OptimizePageSourceProviderFactory
        implements ConnectorPageSourceProviderFactory
{
    private final AlbisPageSourceProviderFactory readers;
    private final AlbisPageSinkProvider writers;

    @Inject
    public OptimizePageSourceProviderFactory(AlbisPageSourceProviderFactory readers, AlbisPageSinkProvider writers)
    {
        this.readers = requireNonNull(readers, "readers is null");
        this.writers = requireNonNull(writers, "writers is null");
    }

    @Override
    public ConnectorPageSourceProvider createPageSourceProvider()
    {
        return new Provider(readers.createPageSourceProvider());
    }

    /**
     * Returns options with which the rows of a unit become one row group if they fit into one. The plan has estimated
     * its size from encoded bytes, but a writer counts those of the open segment of each column as they are in memory.
     */
    private static WriterOptions unitOptions(AlbisWritableTableHandle target, OptimizeSplit split)
    {
        WriterOptions options = target.writerOptions();
        if (new RewriteUnit(split.rowGroups()).liveBytes() > options.rowGroupBytes()) {
            return options;
        }
        long openSegments = (long) options.segmentBytes() * target.columns().size();
        return options.withRowGroupBytes(2 * options.rowGroupBytes() + openSegments);
    }

    private final class Provider
            implements ConnectorPageSourceProvider
    {
        private final ConnectorPageSourceProvider reader;

        private Provider(ConnectorPageSourceProvider reader)
        {
            this.reader = requireNonNull(reader, "reader is null");
        }

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
            if (!(table instanceof RewriteHandle rewrite)) {
                return reader.createPageSource(transaction, session, split, table, tableCredentials, columns, dynamicFilter, memoryContext);
            }
            checkArgument(columns.equals(ImmutableList.of(RewriteHandle.RESULT)), "the scan of a procedure has only one column, but %s were requested", columns);
            OptimizeSplit unit = (OptimizeSplit) split;
            return switch (rewrite) {
                case OptimizeHandle optimize -> optimize(transaction, session, optimize, unit, tableCredentials, memoryContext);
                case ColumnRewriteHandle columnRewrite -> new RewritePageSource(unit.unit(), writers.createRewriter(session, columnRewrite, unit.rowGroups()), memoryContext);
            };
        }

        private ConnectorPageSource optimize(
                ConnectorTransactionHandle transaction,
                ConnectorSession session,
                OptimizeHandle optimize,
                OptimizeSplit unit,
                Optional<ConnectorTableCredentials> tableCredentials,
                MemoryContext memoryContext)
        {
            // every live row of a selected row group is kept
            AlbisTableHandle wholeRowGroups = optimize.table().withPredicate(TupleDomain.all(), TupleDomain.all()).withTests(RowTests.NONE);
            return new OptimizePageSource(
                    unit.unit(),
                    unit.rowGroups(),
                    (rowGroup, memory) -> reader.createPageSource(
                            transaction,
                            session,
                            new AlbisSplit(rowGroup, new SegmentShare(0, 1), 1, ImmutableList.of()),
                            wholeRowGroups,
                            tableCredentials,
                            ImmutableList.copyOf(optimize.target().columns()),
                            DynamicFilter.EMPTY,
                            memory),
                    writers.createPageSink(session, optimize.target().withWriterOptions(unitOptions(optimize.target(), unit))),
                    memoryContext);
        }
    }
}
