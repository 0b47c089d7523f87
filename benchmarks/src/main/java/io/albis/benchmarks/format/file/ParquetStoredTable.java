package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.data.Column;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputFile;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.parquet.Field;
import io.trino.parquet.ParquetDataSource;
import io.trino.parquet.ParquetReaderOptions;
import io.trino.parquet.metadata.FileMetadata;
import io.trino.parquet.metadata.ParquetMetadata;
import io.trino.parquet.predicate.TupleDomainParquetPredicate;
import io.trino.parquet.reader.MetadataReader;
import io.trino.parquet.reader.ParquetReader;
import io.trino.parquet.reader.RowGroupInfo;
import io.trino.plugin.base.metrics.FileFormatDataSourceStats;
import io.trino.plugin.hive.HiveConfig;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.schema.MessageType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.parquet.ParquetTypeUtils.constructField;
import static io.trino.parquet.ParquetTypeUtils.getColumnIO;
import static io.trino.parquet.ParquetTypeUtils.getDescriptors;
import static io.trino.parquet.ParquetTypeUtils.lookupColumnByName;
import static io.trino.parquet.predicate.PredicateUtils.buildPredicate;
import static io.trino.parquet.predicate.PredicateUtils.getFilteredRowGroups;
import static io.trino.plugin.hive.parquet.ParquetPageSourceFactory.createDataSource;
import static java.util.Objects.requireNonNull;
import static org.joda.time.DateTimeZone.UTC;

/**
 * A Parquet file. It is read with Trino's reader in the same way as trino-hive reads a split that consists of the whole
 * file.
 */
record ParquetStoredTable(TrinoFileSystem fileSystem, Location location, List<Column> columns)
        implements StoredTable
{
    // The default of the catalog property domain-compaction-threshold
    private static final int DOMAIN_COMPACTION_THRESHOLD = new HiveConfig().getDomainCompactionThreshold();

    ParquetStoredTable
    {
        requireNonNull(fileSystem, "fileSystem is null");
        requireNonNull(location, "location is null");
        columns = ImmutableList.copyOf(columns);
    }

    @Override
    public Pages scan(Scan scan)
            throws IOException
    {
        ParquetReaderOptions options = ParquetReaderOptions.defaultOptions();
        AggregatedMemoryContext memoryContext = newSimpleAggregatedMemoryContext();
        TrinoInputFile file = fileSystem.newInputFile(location);
        ParquetDataSource dataSource = createDataSource(file, OptionalLong.of(file.length()), options, memoryContext, new FileFormatDataSourceStats());
        ParquetMetadata metadata = MetadataReader.readFooter(dataSource, options, Optional.empty(), Optional.empty());
        FileMetadata fileMetadata = metadata.getFileMetaData();
        MessageType fileSchema = fileMetadata.getSchema();
        MessageType requestedSchema = new MessageType(fileSchema.getName(), scan.columns().stream()
                .map(fileSchema::getType)
                .collect(toImmutableList()));
        Map<List<String>, ColumnDescriptor> descriptors = getDescriptors(fileSchema, requestedSchema);
        TupleDomain<ColumnDescriptor> domain = scan.predicate().transformKeys(index -> descriptors.get(ImmutableList.of(columns.get(index).name())));
        TupleDomainParquetPredicate predicate = buildPredicate(requestedSchema, domain, descriptors, UTC);
        List<RowGroupInfo> rowGroups = getFilteredRowGroups(
                0,
                file.length(),
                dataSource,
                metadata,
                ImmutableList.of(domain),
                ImmutableList.of(predicate),
                descriptors,
                UTC,
                DOMAIN_COMPACTION_THRESHOLD,
                options);
        ParquetReader reader = new ParquetReader(
                Optional.ofNullable(fileMetadata.getCreatedBy()),
                fields(scan, getColumnIO(fileSchema, requestedSchema)),
                false,
                rowGroups,
                dataSource,
                UTC,
                memoryContext,
                options,
                exception -> new UncheckedIOException(new IOException(exception)),
                Optional.of(predicate),
                Optional.empty(),
                metadata.getDecryptionContext());
        return new FilteredPages(scan, new SourcePages()
        {
            @Override
            public SourcePage next()
                    throws IOException
            {
                return reader.nextPage();
            }

            @Override
            public void close()
                    throws IOException
            {
                reader.close();
            }
        });
    }

    private List<io.trino.parquet.Column> fields(Scan scan, MessageColumnIO messageColumn)
    {
        ImmutableList.Builder<io.trino.parquet.Column> fields = ImmutableList.builder();
        for (int index : scan.columns()) {
            Column column = columns.get(index);
            Field field = constructField(column.type(), lookupColumnByName(messageColumn, column.name())).orElseThrow();
            fields.add(new io.trino.parquet.Column(column.name(), field));
        }
        return fields.build();
    }
}
