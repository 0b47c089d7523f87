package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.Compression;
import io.albis.format.run.Run;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.Page;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;

import static io.trino.spi.predicate.TupleDomain.withColumnDomains;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs and dictionaries in compressed form.
 */
@ParameterizedClass
@MethodSource("parameters")
final class TestCompression
        extends BaseCompressionTest
{
    TestCompression(AlbisLayout layout, Compression compression)
    {
        super(layout, compression);
    }

    @Test
    void testSmallerFiles()
            throws IOException
    {
        Page page = page();
        RowGroup plain = write(page, Compression.NONE);
        RowGroup compressed = write(page, compression);
        assertThat(compressed.bytes()).isLessThan(plain.bytes() * 7 / 8);
        assertThat(read(plain, TupleDomain.all())).isEqualTo(rows(page));
        assertThat(read(compressed, TupleDomain.all())).isEqualTo(rows(page));
        assertThat(chunks(compressed).stream().flatMap(chunk -> chunk.runs().stream()).map(run -> run.stored().compression()))
                .contains(compression);
        if (layout == AlbisLayout.BLOCK) {
            // text, a dictionary, and its runs; random numbers stay as they are
            assertThat(chunks(compressed).get(1).runs()).allMatch(run -> run.stored().compression() == compression);
            assertThat(((Dictionary) chunks(compressed).get(2).encoding()).stored().compression()).isEqualTo(compression);
            assertThat(chunks(compressed).get(4).runs()).allMatch(run -> run.stored().compression() == Compression.NONE);
            assertThat(chunks(compressed).get(4).length()).isEqualTo(chunks(plain).get(4).length());
        }
    }

    @Test
    void testTextHasNoSecondCopy()
            throws IOException
    {
        Page page = page();
        RowGroup rowGroup = write(page, compression);
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(ImmutableList.of(TEXT), TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            reader.next().block(0);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            VariableWidthBlock block = (VariableWidthBlock) reader.next().block(0);
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertThat(block.getPositionCount()).isEqualTo(Run.MAX_ROWS);
            if (layout == AlbisLayout.BLOCK) {
                assertThat(allocated).isLessThan(block.getRawSlice().length() * 3L / 2);
                assertThat(block.getRawSlice().byteArray()).hasSize(chunks(rowGroup).get(1).runs().get(1).length() + NarrowValues.SLACK);
            }
        }
    }

    @Test
    void testMemory()
            throws IOException
    {
        Page page = page();
        RowGroup rowGroup = write(page, compression);
        // the text is filtered without blocks that retain it, so the reader has it in its own buffers
        TupleDomain<AlbisColumn> predicate = withColumnDomains(ImmutableMap.of(TEXT, Domain.singleValue(VARCHAR, text(1))));
        Run run = chunks(rowGroup).get(layout == AlbisLayout.BLOCK ? 1 : 0).runs().getFirst();
        assertThat(run.stored().compression()).isEqualTo(compression);
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(ImmutableList.of(RANDOM), predicate), ReaderOptions.DEFAULTS)) {
            AlbisBatch batch = reader.next();
            assertThat(batch.positionCount()).isPositive();
            batch.block(0);
            assertThat(reader.memoryUsage()).isGreaterThan(run.length() + run.stored().length());
        }
    }
}
