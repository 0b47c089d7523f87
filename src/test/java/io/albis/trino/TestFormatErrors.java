package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Longs;
import com.google.common.util.concurrent.MoreExecutors;
import io.airlift.slice.Slices;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.PartitionField;
import io.albis.table.sketch.PageSketcher;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.SinglePiece;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.BucketPartitioning;
import io.albis.trino.handle.BucketPartitioning.Buckets;
import io.albis.trino.handle.ScanBuckets;
import io.albis.trino.partition.RowGroupBuckets;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.sink.AlbisPageSink;
import io.albis.trino.sink.WriteStats;
import io.albis.trino.split.AlbisSplitSource;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.albis.table.model.PartitionTransform.BUCKET;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Errors of the format have the right Trino error codes.
 */
final class TestFormatErrors
{
    private static final AlbisColumnHandle COLUMN = new AlbisColumnHandle(1, "number", BIGINT);

    @ParameterizedTest
    @EnumSource
    void testRowsThatAreTooLarge(AlbisLayout layout)
    {
        // One row takes 1.07 GB, as its columns share their bytes
        int size = 67 << 20;
        ImmutableList.Builder<AlbisColumn> columns = ImmutableList.builder();
        for (int column = 1; column <= 16; column++) {
            columns.add(AlbisColumn.make(column, "text" + column, VARCHAR));
        }
        Block[] blocks = new Block[16];
        Arrays.fill(blocks, new VariableWidthBlock(1, Slices.allocate(size), new int[] {0, size}, Optional.empty()));
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, columns.build()));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(new MemoryFileSystemFactory().create(ofUser("test")), Location.of("memory:///table"), schema.rowGroupSchema(), WriterOptions.DEFAULTS);
        AlbisPageSink sink = new AlbisPageSink(writer, new PageSketcher(schema.columns()), new WriteStats());
        assertTrinoExceptionThrownBy(() -> sink.appendPage(new Page(blocks)))
                .hasErrorCode(NOT_SUPPORTED)
                .hasMessage("Row of 1124073472 bytes exceeds the maximum row size of 1073741824 bytes");
        sink.abort();
    }

    @Test
    void testDamagedBounds()
    {
        assertDamaged(
                rowGroup(ImmutableList.of(new ColumnStatistics(1, 0, UNORDERED, Optional.of(new byte[3]), Optional.empty()))),
                "the bounds of column 1 are not valid for type bigint");
    }

    /**
     * A row group that a predicate seems to exclude could have rows that match.
     */
    @Test
    void testDamagedPartitions()
    {
        RowGroup rowGroup = rowGroup(ImmutableList.of());
        assertDamaged(
                rowGroup.withPartition(ImmutableList.of(new PartitionValue(1, IDENTITY.code(), 0, Optional.of(new byte[3])))),
                "Damaged Albis table: the partition of row group %s has a value of identity of column 1 that is not valid for type bigint: it has 3 bytes instead of 8".formatted(rowGroup.id()));
        String message = "Damaged Albis table: the partition of row group %s has a value of bucket of column 1 that is not valid for type bigint: it is bucket %s of %s";
        for (long bucket : new long[] {-1, 8, 1L << 32}) {
            RowGroup damaged = rowGroup.withPartition(ImmutableList.of(new PartitionValue(1, BUCKET.code(), 8, Optional.of(littleEndian(bucket)))));
            assertDamaged(damaged, message.formatted(rowGroup.id(), bucket, 8));
        }
    }

    /**
     * The bucket decides to which node the engine assigns the split.
     */
    @Test
    void testDamagedBuckets()
    {
        ScanBuckets scan = new ScanBuckets(new BucketPartitioning(ImmutableList.of(new Buckets(BIGINT, 8))), ImmutableList.of(COLUMN), ImmutableList.of(new PartitionField(1, BUCKET, 8)));
        RowGroup rowGroup = rowGroup(ImmutableList.of());
        for (byte[] bytes : new byte[][] {new byte[3], littleEndian(-1), littleEndian(8), littleEndian(1L << 32)}) {
            RowGroup damaged = rowGroup.withPartition(ImmutableList.of(new PartitionValue(1, BUCKET.code(), 8, Optional.of(bytes))));
            assertThatThrownBy(() -> nextBatch(damaged, TupleDomain.all(), Optional.of(new RowGroupBuckets(scan))))
                    .cause()
                    .hasMessageStartingWith("Damaged Albis table: the partition of row group %s has a value of bucket of column 1 that is not valid for type bigint: it ", rowGroup.id())
                    .hasFieldOrPropertyWithValue("errorCode", ALBIS_BAD_DATA.toErrorCode());
        }
    }

    private static byte[] littleEndian(long value)
    {
        return Longs.toByteArray(Long.reverseBytes(value));
    }

    private static RowGroup rowGroup(List<ColumnStatistics> statistics)
    {
        return new RowGroup(UUID.randomUUID(), 10, ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 100)), statistics);
    }

    private static void assertDamaged(RowGroup rowGroup, String message)
    {
        assertThatThrownBy(() -> nextBatch(rowGroup, TupleDomain.withColumnDomains(ImmutableMap.of(COLUMN, Domain.singleValue(BIGINT, 5L))), Optional.empty()))
                .cause()
                .hasMessageContaining(message)
                .hasFieldOrPropertyWithValue("errorCode", ALBIS_BAD_DATA.toErrorCode());
    }

    private static List<ConnectorSplit> nextBatch(RowGroup rowGroup, TupleDomain<AlbisColumnHandle> predicate, Optional<RowGroupBuckets> buckets)
            throws Exception
    {
        AlbisSplitSource source = new AlbisSplitSource(
                () -> new SinglePiece(_ -> new ManifestSelection(ImmutableList.of(rowGroup), 1, 0, 0)),
                PruningPredicate.of(predicate),
                true,
                _ -> 1 << 20,
                Optional.empty(),
                buckets,
                0,
                MoreExecutors.directExecutor());
        return source.getNextBatch(10, DynamicFilterSnapshot.EMPTY).get();
    }
}
