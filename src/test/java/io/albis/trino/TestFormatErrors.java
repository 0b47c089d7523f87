package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.util.concurrent.MoreExecutors;
import io.airlift.slice.Slices;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.sketch.PageSketcher;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.SinglePiece;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.sink.AlbisPageSink;
import io.albis.trino.sink.WriteStats;
import io.albis.trino.split.AlbisSplitSource;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.statistics.ValueOrder.UNORDERED;
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
        AlbisColumnHandle column = new AlbisColumnHandle(1, "number", BIGINT);
        RowGroup rowGroup = new RowGroup(
                UUID.randomUUID(),
                10,
                ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 100)),
                ImmutableList.of(new ColumnStatistics(1, 0, UNORDERED, Optional.of(new byte[3]), Optional.empty())));
        AlbisSplitSource source = new AlbisSplitSource(
                () -> new SinglePiece(_ -> new ManifestSelection(ImmutableList.of(rowGroup), 1, 0, 0)),
                PruningPredicate.of(TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.singleValue(BIGINT, 5L)))),
                true,
                _ -> 1 << 20,
                Optional.empty(),
                Optional.empty(),
                0,
                MoreExecutors.directExecutor());
        assertThatThrownBy(() -> source.getNextBatch(10, DynamicFilterSnapshot.EMPTY).get())
                .cause()
                .hasMessageContaining("the bounds of column 1 are not valid for type bigint")
                .hasFieldOrPropertyWithValue("errorCode", ALBIS_BAD_DATA.toErrorCode());
    }
}
