package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.albis.format.schema.AlbisLayout;
import io.albis.trino.ReadRecordingFileSystemFactory.Read;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisSplit;
import io.trino.filesystem.Location;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.trino.config.AlbisSessionProperties.LAZY_READING;
import static io.albis.trino.config.AlbisSessionProperties.SEGMENT_PRUNING;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which parts of a row group are read, and with how many requests.
 */
final class TestAlbisPageSource
        extends BasePageSourceTest
{
    @ParameterizedTest
    @EnumSource
    void testSharesAreTheRowGroup(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        List<Long> all = LongStream.range(0, ROWS).boxed().toList();
        for (int shares : new int[] {1, 2, 3, 7, 1000}) {
            List<Long> ids = new ArrayList<>();
            long rowGroups = 0;
            for (int share = 0; share < shares; share++) {
                ConnectorPageSource source = open(new AlbisSplit(rowGroup, new SegmentShare(share, shares), 1, ImmutableList.of()), TupleDomain.all(), DynamicFilter.EMPTY, ID, NAME);
                ids.addAll(readIds(source));
                rowGroups += metric(source, "Albis row groups");
            }
            assertThat(ids).isEqualTo(all);
            assertThat(rowGroups).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void testSharesAreCountedOnce(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        fileSystems.takeReads();
        for (int shares : new int[] {1, 2, 5}) {
            long count = 0;
            for (int share = 0; share < shares; share++) {
                count += readCount(open(new AlbisSplit(rowGroup, new SegmentShare(share, shares), 1, ImmutableList.of()), TupleDomain.all(), DynamicFilter.EMPTY));
            }
            assertThat(count).isEqualTo(ROWS);
            assertThat(fileSystems.takeReads()).isEmpty();

            count = 0;
            for (int share = 0; share < shares; share++) {
                count += readCount(open(new AlbisSplit(rowGroup, new SegmentShare(share, shares), 1, ImmutableList.of()), ids(10, 70_000), DynamicFilter.EMPTY));
            }
            assertThat(count).isEqualTo(69_990);
            fileSystems.takeReads();
        }
    }

    @Test
    void testProjectionReadsItsColumnsOnly()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        List<Read> reads = readsOf(() -> readIds(open(split(rowGroup), TupleDomain.all(), DynamicFilter.EMPTY, ID)));
        assertThat(bytes(reads)).isEqualTo(bytes(rowGroup, ID));
        assertEachByteOnce(reads);

        reads = readsOf(() -> readIds(open(split(rowGroup), TupleDomain.all(), DynamicFilter.EMPTY, ID, SCATTERED)));
        assertThat(bytes(reads)).isEqualTo(bytes(rowGroup, ID) + bytes(rowGroup, SCATTERED));
        assertEachByteOnce(reads);
    }

    @Test
    void testProjectionOfOneColumnGroup()
            throws IOException
    {
        List<List<AlbisColumnHandle>> columns = ImmutableList.of(ImmutableList.of(ID), ImmutableList.of(NAME), ImmutableList.of(SCATTERED));
        RowGroup apart = write(AlbisLayout.BLOCK, columns);
        RowGroup together = write(AlbisLayout.BLOCK, ImmutableList.of(ImmutableList.of(ID, NAME, SCATTERED)));
        for (AlbisColumnHandle column : ImmutableList.of(ID, SCATTERED)) {
            List<Read> reads = readsOf(() -> readIds(open(split(together), TupleDomain.all(), DynamicFilter.EMPTY, column)));
            assertEachByteOnce(reads);
            // Without the headers of the separate files
            assertThat(dataBytes(reads)).isBetween(dataBytes(apart, column) - 100, dataBytes(apart, column) + 100);
        }
    }

    @Test
    void testFilterThatHitsOneSegment()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        List<Read> reads = readsOf(() -> {
            ConnectorPageSource source = open(split(rowGroup), ids(50_000, 50_001), DynamicFilter.EMPTY, ID, NAME);
            assertThat(readIds(source)).containsExactly(50_000L);
            assertThat(metric(source, "Albis segments")).isEqualTo(1);
            assertThat(metric(source, "Albis reads")).isEqualTo(4);
        });
        // The metadata and one run of each of the two columns
        assertThat(reads).hasSize(4);
        assertEachByteOnce(reads);
        assertThat(dataBytes(reads)).isLessThan((dataBytes(rowGroup, ID) + dataBytes(rowGroup, NAME)) / 5);
    }

    @ParameterizedTest
    @EnumSource
    void testColumnThatNobodyNeeds(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout, ImmutableList.of(ImmutableList.of(ID), ImmutableList.of(NAME), ImmutableList.of(SCATTERED)));
        Location name = dataFile(rowGroup, NAME);

        // No row is left, although no bounds exclude it
        TupleDomain<AlbisColumnHandle> nothing = TupleDomain.withColumnDomains(ImmutableMap.of(SCATTERED, Domain.singleValue(BIGINT, (long) ROWS / 2), ID, Domain.singleValue(BIGINT, 3L)));
        List<Read> reads = readsOf(() -> {
            ConnectorPageSource source = open(session(SEGMENT_PRUNING), split(rowGroup), nothing, DynamicFilter.EMPTY, ID, NAME);
            assertThat(readIds(source)).isEmpty();
        });
        assertThat(reads).noneMatch(read -> read.location().equals(name));

        // Some rows are left, but the engine needs only another column
        reads = readsOf(() -> {
            ConnectorPageSource source = open(split(rowGroup), ids(100, 90_000), DynamicFilter.EMPTY, ID, NAME);
            for (SourcePage page = source.getNextSourcePage(); page != null || !source.isFinished(); page = source.getNextSourcePage()) {
                page.getBlock(0);
            }
        });
        assertThat(reads).noneMatch(read -> read.location().equals(name));

        // The engine's own filter keeps rows of one page
        reads = readsOf(() -> {
            ConnectorPageSource source = open(split(rowGroup), TupleDomain.all(), DynamicFilter.EMPTY, ID, NAME);
            for (SourcePage page = source.getNextSourcePage(); page != null || !source.isFinished(); page = source.getNextSourcePage()) {
                Block ids = page.getBlock(0);
                for (int position = 0; position < ids.getPositionCount(); position++) {
                    if (BIGINT.getLong(ids, position) == 33_333) {
                        page.selectPositions(new int[] {position}, 0, 1);
                        assertThat(VARCHAR.getSlice(page.getBlock(1), 0)).isEqualTo(utf8Slice(name(33_333)));
                    }
                }
            }
        });
        assertThat(reads.stream().filter(read -> read.location().equals(name))).hasSize(1);

        // A reader that is not lazy, for comparison
        reads = readsOf(() -> readIds(open(session(LAZY_READING), split(rowGroup), ids(100, 90_000), DynamicFilter.EMPTY, ID, NAME)));
        assertThat(reads).anyMatch(read -> read.location().equals(name));
    }
}
