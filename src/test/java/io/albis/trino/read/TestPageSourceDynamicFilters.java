package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.albis.format.schema.AlbisLayout;
import io.albis.trino.ReadRecordingFileSystemFactory.Read;
import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.pushdown.SettableDynamicFilter;
import io.trino.filesystem.Location;
import io.trino.spi.connector.ColumnHandle;
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

import static io.albis.trino.config.AlbisSessionProperties.DYNAMIC_ROW_FILTERING;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests page sources with dynamic filters that arrive before and during the scan.
 */
final class TestPageSourceDynamicFilters
        extends BasePageSourceTest
{
    private static final int MAX_SEGMENT_ROWS = 65_536;

    private static final ColumnHandle FOREIGN = new ColumnHandle() {};

    /**
     * The shares of a row group are opened at different times, and all have to agree which of them counts it.
     */
    @Test
    void testSharesAreCountedOnceWhateverTheDynamicFilterSays()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        SettableDynamicFilter filter = new SettableDynamicFilter();
        for (int narrowed = 0; narrowed < 3; narrowed++) {
            long count = 0;
            for (int share = 0; share < 3; share++) {
                filter.set(share == narrowed ? ids(0, ROWS - 1).transformKeys(ColumnHandle.class::cast) : TupleDomain.all());
                count += readCount(open(new AlbisSplit(rowGroup, new SegmentShare(share, 3), 1, ImmutableList.of()), TupleDomain.all(), filter));
            }
            assertThat(count).isBetween(ROWS - 1L, (long) ROWS);
        }
    }

    @Test
    void testCountWithDynamicFilter()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(ids(100, 110).transformKeys(ColumnHandle.class::cast));
        assertThat(readCount(open(split(rowGroup), TupleDomain.all(), filter))).isEqualTo(10);
        assertThat(readCount(open(session(DYNAMIC_ROW_FILTERING), split(rowGroup), TupleDomain.all(), filter))).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @EnumSource
    void testDynamicFilterOfNothing(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        fileSystems.takeReads();
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(TupleDomain.none());
        ConnectorPageSource source = open(split(rowGroup), TupleDomain.all(), filter, ID, NAME);
        assertThat(source.isFinished()).isTrue();
        assertThat(readIds(source)).isEmpty();
        assertThat(readCount(open(split(rowGroup), TupleDomain.all(), filter))).isZero();
        assertThat(fileSystems.takeReads()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void testDynamicFilterThatArrivesLate(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        List<Read> complete = readsOf(() -> readIds(open(split(rowGroup), TupleDomain.all(), DynamicFilter.EMPTY, ID, NAME)));

        fileSystems.takeReads();
        SettableDynamicFilter filter = new SettableDynamicFilter();
        ConnectorPageSource source = open(split(rowGroup), TupleDomain.all(), filter, ID, NAME);
        SourcePage page = source.getNextSourcePage();
        assertThat(page.getPositionCount()).isGreaterThan(1000);
        List<Long> ids = new ArrayList<>();
        addIds(page, ids);
        filter.set(values(ID, 90_000, 90_001, 200_000));
        ids.addAll(readIds(source));
        // Rows that were selected before the filter narrowed are still returned
        assertThat(ids).hasSizeLessThanOrEqualTo(MAX_SEGMENT_ROWS + 2);
        assertThat(ids.subList(0, ids.size() - 2)).isEqualTo(LongStream.range(0, ids.size() - 2).boxed().toList());
        assertThat(ids.subList(ids.size() - 2, ids.size())).containsExactly(90_000L, 90_001L);
        assertThat(metric(source, "Albis segments skipped")).isPositive();
        assertThat(bytes(fileSystems.takeReads())).isLessThan(bytes(complete));

        // The filter now excludes all rows
        source = open(split(rowGroup), TupleDomain.all(), filter, ID);
        assertThat(source.getNextSourcePage().getPositionCount()).isEqualTo(2);
        filter.set(TupleDomain.none());
        assertThat(source.getNextSourcePage()).isNull();
        assertThat(source.isFinished()).isTrue();
    }

    /**
     * The values of one column are unordered, so bounds exclude nothing.
     */
    @ParameterizedTest
    @EnumSource
    void testDynamicFilterOfManyValues(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        List<Long> expected = LongStream.range(0, ROWS).filter(id -> scatter(id) % 2 == 0).boxed().toList();
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(SCATTERED, Domain.multipleValues(BIGINT, LongStream.range(0, ROWS / 2).map(value -> 2 * value).boxed().toList()))));
        ConnectorPageSource source = open(split(rowGroup), TupleDomain.all(), filter, ID, SCATTERED);
        assertThat(readIds(source)).isEqualTo(expected);
        // Counts the rows that are returned
        assertThat(source.getCompletedPositions()).hasValue(ROWS / 2);
        assertThat(metric(source, "Albis rows")).isEqualTo(ROWS);
        assertThat(metric(source, "Albis rows skipped")).isEqualTo(ROWS / 2);

        source = open(session(DYNAMIC_ROW_FILTERING), split(rowGroup), TupleDomain.all(), filter, ID, SCATTERED);
        assertThat(readIds(source)).hasSize(ROWS);
        assertThat(metric(source, "Albis rows skipped")).isZero();
    }

    @Test
    void testDynamicFilterOfForeignColumn()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(FOREIGN, Domain.singleValue(BIGINT, -1L))));
        assertThat(readIds(open(split(rowGroup), TupleDomain.all(), filter, ID))).hasSize(ROWS);
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(FOREIGN, Domain.singleValue(BIGINT, -1L), ID, Domain.singleValue(BIGINT, 5L))));
        assertThat(readIds(open(split(rowGroup), TupleDomain.all(), filter, ID))).containsExactly(5L);
    }

    @Test
    void testDynamicFilterOfOneRowGroup()
            throws IOException
    {
        List<RowGroup> rowGroups = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            rowGroups.add(write(AlbisLayout.BLOCK, ImmutableList.of(ImmutableList.of(ID), ImmutableList.of(NAME), ImmutableList.of(SCATTERED)), (long) i * ROWS));
        }
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(values(ID, 2 * ROWS + 7, 2 * ROWS + 8));
        List<Read> reads = readsOf(() -> {
            List<Long> ids = new ArrayList<>();
            for (RowGroup rowGroup : rowGroups) {
                ids.addAll(readIds(open(split(rowGroup), TupleDomain.all(), filter, ID, NAME)));
            }
            assertThat(ids).containsExactly(2L * ROWS + 7, 2L * ROWS + 8);
        });
        List<Location> data = reads.stream()
                .map(Read::location)
                .filter(location -> location.fileName().equals(ColumnGroupInstance.DATA_FILE))
                .toList();
        assertThat(data).containsExactlyInAnyOrder(dataFile(rowGroups.get(2), ID), dataFile(rowGroups.get(2), NAME));
        // And the metadata of both columns
        assertThat(reads).hasSize(data.size() + 2 * rowGroups.size());
    }

    private static TupleDomain<ColumnHandle> values(ColumnHandle column, long... values)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.multipleValues(BIGINT, LongStream.of(values).boxed().toList())));
    }
}
