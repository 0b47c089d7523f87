package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.data.Column;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputFile;
import io.trino.orc.OrcColumn;
import io.trino.orc.OrcDataSource;
import io.trino.orc.OrcDataSourceId;
import io.trino.orc.OrcReader;
import io.trino.orc.OrcReaderOptions;
import io.trino.orc.OrcRecordReader;
import io.trino.orc.TupleDomainOrcPredicate;
import io.trino.orc.TupleDomainOrcPredicate.TupleDomainOrcPredicateBuilder;
import io.trino.plugin.base.metrics.FileFormatDataSourceStats;
import io.trino.plugin.hive.orc.HdfsOrcDataSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.orc.OrcReader.INITIAL_BATCH_SIZE;
import static java.util.Objects.requireNonNull;
import static org.joda.time.DateTimeZone.UTC;

/**
 * An ORC file. It is read with Trino's reader in the same way as trino-hive reads a split that consists of the whole
 * file.
 */
record OrcStoredTable(TrinoFileSystem fileSystem, Location location, List<Column> columns)
        implements StoredTable
{
    OrcStoredTable
    {
        requireNonNull(fileSystem, "fileSystem is null");
        requireNonNull(location, "location is null");
        columns = ImmutableList.copyOf(columns);
    }

    @Override
    public Pages scan(Scan scan)
            throws IOException
    {
        OrcReaderOptions options = new OrcReaderOptions();
        TrinoInputFile file = fileSystem.newInputFile(location);
        OrcDataSource dataSource = new HdfsOrcDataSource(new OrcDataSourceId(location.toString()), file.length(), options, file, new FileFormatDataSourceStats());
        OrcReader reader = OrcReader.createOrcReader(dataSource, options).orElseThrow();
        List<OrcColumn> fileColumns = reader.getRootColumn().getNestedColumns();
        List<OrcColumn> readColumns = scan.columns().stream()
                .map(fileColumns::get)
                .collect(toImmutableList());
        List<Type> readTypes = scan.columns().stream()
                .map(index -> columns.get(index).type())
                .collect(toImmutableList());
        TupleDomainOrcPredicateBuilder predicate = TupleDomainOrcPredicate.builder();
        scan.predicate().getDomains().orElseThrow().forEach((index, domain) -> predicate.addColumn(fileColumns.get(index).getColumnId(), domain));
        OrcRecordReader recordReader = reader.createRecordReader(
                readColumns,
                readTypes,
                false,
                predicate.build(),
                UTC,
                newSimpleAggregatedMemoryContext(),
                INITIAL_BATCH_SIZE,
                exception -> new UncheckedIOException(new IOException(exception)));
        return new FilteredPages(scan, new SourcePages()
        {
            @Override
            public SourcePage next()
                    throws IOException
            {
                return recordReader.nextPage();
            }

            @Override
            public void close()
                    throws IOException
            {
                recordReader.close();
            }
        });
    }
}
