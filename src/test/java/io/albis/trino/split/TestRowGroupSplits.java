package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import io.airlift.json.JsonCodec;
import io.airlift.units.DataSize;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.trino.handle.AlbisSplit;
import io.trino.filesystem.FileEntry.Block;
import io.trino.spi.HostAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.albis.format.statistics.ValueOrder.CONSTANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class TestRowGroupSplits
{
    private static final long MAX_SPLIT_BYTES = DataSize.of(64, MEGABYTE).toBytes();
    private static final long STANDARD_SPLIT_BYTES = 2 * MAX_SPLIT_BYTES;
    private static final int METADATA_BYTES = 1000;
    // Each block is as long as one and a half splits
    private static final FileHosts HOSTS = FileHosts.of(
            ImmutableList.of(
                    new Block(ImmutableList.of("one", "two"), 0, 3 * MAX_SPLIT_BYTES / 2),
                    new Block(ImmutableList.of("two", "three"), 3 * MAX_SPLIT_BYTES / 2, 3 * MAX_SPLIT_BYTES / 2)),
            3 * MAX_SPLIT_BYTES);

    @Test
    void testSmallRowGroup()
    {
        RowGroup rowGroup = rowGroup(10, 1000, 2);
        assertThat(split(rowGroup)).containsExactly(new AlbisSplit(rowGroup.withStatistics(ImmutableList.of()), SegmentShare.ALL, 0.05, ImmutableList.of()));
        assertThat(split(rowGroup(1_000_000, MAX_SPLIT_BYTES - METADATA_BYTES, 1))).hasSize(1);
    }

    static IntStream shareCounts()
    {
        return IntStream.range(2, 40);
    }

    @ParameterizedTest
    @MethodSource("shareCounts")
    void testLargeRowGroup(int shares)
    {
        RowGroup rowGroup = rowGroup(1_000_000, shares * MAX_SPLIT_BYTES - METADATA_BYTES, 1);
        List<AlbisSplit> splits = split(rowGroup);
        assertThat(splits).extracting(AlbisSplit::share).isEqualTo(IntStream.range(0, shares).mapToObj(index -> new SegmentShare(index, shares)).toList());
        assertThat(splits).extracting(AlbisSplit::rowGroup).containsOnly(rowGroup.withStatistics(ImmutableList.of()));
        assertThat(splits).extracting(AlbisSplit::weight).allSatisfy(weight -> assertThat(weight).isCloseTo((double) MAX_SPLIT_BYTES / STANDARD_SPLIT_BYTES, within(1e-6)));
        assertThat(split(rowGroup(1_000_000, shares * MAX_SPLIT_BYTES + 1 - METADATA_BYTES, 1))).hasSize(shares + 1);
    }

    @Test
    void testNoMoreSharesThanRows()
    {
        assertThat(split(rowGroup(3, 100 * MAX_SPLIT_BYTES, 1))).hasSize(3)
                .extracting(AlbisSplit::weight).containsOnly(1.0);
    }

    static List<FileHosts> hosts()
    {
        return ImmutableList.of(FileHosts.UNKNOWN, HOSTS);
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void testJson(FileHosts hosts)
    {
        JsonCodec<AlbisSplit> codec = JsonCodec.jsonCodec(AlbisSplit.class);
        for (AlbisSplit split : splitsOn(hosts)) {
            assertThat(codec.fromJson(codec.toJson(split))).isEqualTo(split);
        }
    }

    @Test
    void testDescription()
    {
        RowGroup rowGroup = rowGroup(1_000_000, 2 * MAX_SPLIT_BYTES - METADATA_BYTES, 1);
        assertThat(split(rowGroup)).extracting(AlbisSplit::toString).containsExactly(
                "part 1 of 2 of rg-%s (1000000 rows, 134217728 bytes)".formatted(rowGroup.id()),
                "part 2 of 2 of rg-%s (1000000 rows, 134217728 bytes)".formatted(rowGroup.id()));
        assertThat(new AlbisSplit(rowGroup, SegmentShare.ALL, 1, ImmutableList.of())).hasToString("rg-%s (1000000 rows, 134217728 bytes)".formatted(rowGroup.id()));
    }

    @Test
    void testRetainedSize()
    {
        long one = new AlbisSplit(rowGroup(10, 1000, 1), SegmentShare.ALL, 1, ImmutableList.of()).getRetainedSizeInBytes();
        long hundred = new AlbisSplit(rowGroup(10, 1000, 100), SegmentShare.ALL, 1, ImmutableList.of()).getRetainedSizeInBytes();
        // A column group instance, two ids, and a list take at least this much
        assertThat((hundred - one) / 99).isBetween(100L, 250L);

        long withAddresses = new AlbisSplit(rowGroup(10, 1000, 1), SegmentShare.ALL, 1, ImmutableList.of(HostAddress.fromString("a".repeat(1000)), HostAddress.fromString("b"))).getRetainedSizeInBytes();
        assertThat(withAddresses - one).isBetween(1000L, 2500L);
    }

    @Test
    void testAddresses()
    {
        List<AlbisSplit> splits = splitsOn(HOSTS);
        assertThat(splits).hasSize(3).allSatisfy(split -> assertThat(split.isRemotelyAccessible()).isTrue());
        assertThat(splits).extracting(AlbisSplit::getAddresses).containsExactly(
                ImmutableList.of(HostAddress.fromString("one"), HostAddress.fromString("two")),
                ImmutableList.of(HostAddress.fromString("two")),
                ImmutableList.of(HostAddress.fromString("two"), HostAddress.fromString("three")));
        assertThat(splitsOn(FileHosts.UNKNOWN)).hasSize(3)
                .extracting(AlbisSplit::getAddresses).containsOnly(ImmutableList.of());
    }

    /**
     * Creates three splits of one row group.
     */
    private static List<AlbisSplit> splitsOn(FileHosts hosts)
    {
        return ImmutableList.copyOf(RowGroupSplits.split(rowGroup(1_000_000, 3 * MAX_SPLIT_BYTES - METADATA_BYTES, 3), MAX_SPLIT_BYTES, hosts, 0));
    }

    private static List<AlbisSplit> split(RowGroup rowGroup)
    {
        return ImmutableList.copyOf(RowGroupSplits.split(rowGroup, MAX_SPLIT_BYTES, FileHosts.UNKNOWN, 0));
    }

    private static RowGroup rowGroup(long rows, long dataBytes, int columns)
    {
        return new RowGroup(
                new UUID(1, 2),
                rows,
                IntStream.range(0, columns)
                        .mapToObj(column -> new ColumnGroupInstance(new UUID(3, column), ImmutableList.of(column), column == 0 ? dataBytes : 0, column == 0 ? METADATA_BYTES : 0))
                        .collect(toImmutableList()),
                ImmutableList.of(new ColumnStatistics(0, 0, CONSTANT, Optional.empty(), Optional.empty())));
    }
}
