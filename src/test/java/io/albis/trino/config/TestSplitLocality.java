package io.albis.trino.config;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.util.concurrent.MoreExecutors;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.SinglePiece;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.split.AlbisSplitSource;
import io.albis.trino.split.BlockLocatingFileSystem;
import io.albis.trino.split.HostLookup;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileEntry.Block;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.HostAddress;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.security.ConnectorIdentity;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.statistics.ValueOrder.CONSTANT;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Splits of row groups with a small and a large column group each, on a file system that knows the hosts of blocks.
 */
final class TestSplitLocality
{
    private static final ConnectorIdentity IDENTITY = ConnectorIdentity.ofUser("test");
    private static final Location TABLE = Location.of("memory:///warehouse/shop/sales-1");
    private static final int SMALL = 10;
    private static final int LARGE = 1000;

    private final MemoryFileSystemFactory memory = new MemoryFileSystemFactory();
    private final TrinoFileSystem files = memory.create(IDENTITY);

    @Test
    void testLargestFileDecides()
            throws Exception
    {
        List<RowGroup> rowGroups = writeRowGroups(20);
        BlockLocatingFileSystem fileSystem = new BlockLocatingFileSystem(memory, TestSplitLocality::blocksByName);

        List<AlbisSplit> splits = splits(fileSystem, rowGroups, Long.MAX_VALUE, 1000);
        assertThat(splits).extracting(split -> split.rowGroup().id()).isEqualTo(ids(rowGroups));
        for (AlbisSplit split : splits) {
            Location largest = split.rowGroup().dataFile(TABLE, split.rowGroup().columnGroups().get(1));
            assertThat(split.getAddresses()).containsExactly(HostAddress.fromString(host(largest)));
        }
        // One request for each row group, and only for its larger column group
        assertThat(fileSystem.listed()).isEqualTo(rowGroups.stream()
                .map(rowGroup -> rowGroup.dataFile(TABLE, rowGroup.columnGroups().get(1)).parentDirectory().appendSuffix("/"))
                .collect(toImmutableList()));
    }

    @Test
    void testPrunedRowGroupsAreNotListed()
            throws Exception
    {
        List<RowGroup> rowGroups = writeRowGroups(20);
        BlockLocatingFileSystem fileSystem = new BlockLocatingFileSystem(memory, TestSplitLocality::blocksByName);
        AlbisSplitSource source = splitSource(
                Optional.of(fileSystem),
                rowGroups,
                TupleDomain.withColumnDomains(ImmutableMap.of(new AlbisColumnHandle(0, "id", BIGINT), Domain.multipleValues(BIGINT, ImmutableList.of(3L, 17L)))),
                Long.MAX_VALUE);
        assertThat(source.getNextBatch(1000, DynamicFilterSnapshot.EMPTY).get())
                .extracting(split -> ((AlbisSplit) split).rowGroup().id()).containsExactly(rowGroups.get(3).id(), rowGroups.get(17).id());
        assertThat(source.isFinished()).isTrue();
        assertThat(fileSystem.listed()).hasSize(2);
        assertThat(source.getMetrics().getMetrics()).isEqualTo(ImmutableMap.of(
                "Albis manifests selected", new LongCount(1),
                "Albis manifests pruned", new LongCount(0),
                "Albis row groups selected", new LongCount(2),
                "Albis row groups pruned", new LongCount(18),
                "Albis row groups located", new LongCount(2)));
    }

    @Test
    void testPartsOfRowGroup()
            throws Exception
    {
        List<RowGroup> rowGroups = writeRowGroups(2);
        // Each file has two blocks
        BlockLocatingFileSystem fileSystem = new BlockLocatingFileSystem(memory, file -> Optional.of(ImmutableList.of(
                new Block(ImmutableList.of("begin"), 0, file.length() / 2),
                new Block(ImmutableList.of("end"), file.length() / 2, file.length() - file.length() / 2))));

        List<AlbisSplit> splits = splits(fileSystem, rowGroups, (LARGE + SMALL) / 2, 3);
        assertThat(splits).hasSize(4)
                .extracting(split -> split.getAddresses().getFirst().getHostText()).containsExactly("begin", "end", "begin", "end");
        assertThat(fileSystem.listed()).hasSize(2);
    }

    @Test
    void testFirstSplitsDoNotWaitForAllRowGroups()
            throws Exception
    {
        List<RowGroup> rowGroups = writeRowGroups(250);
        BlockLocatingFileSystem fileSystem = new BlockLocatingFileSystem(memory, TestSplitLocality::blocksByName);
        AlbisSplitSource source = splitSource(Optional.of(fileSystem), rowGroups, TupleDomain.all(), Long.MAX_VALUE);
        assertThat(source.getNextBatch(1000, DynamicFilterSnapshot.EMPTY).get()).hasSize(100);
        assertThat(fileSystem.listed()).hasSize(100);
        assertThat(source.getNextBatch(30, DynamicFilterSnapshot.EMPTY).get()).hasSize(30);
        assertThat(source.getNextBatch(1000, DynamicFilterSnapshot.EMPTY).get()).hasSize(100);
        assertThat(source.isFinished()).isFalse();
        assertThat(source.getNextBatch(1000, DynamicFilterSnapshot.EMPTY).get()).hasSize(20);
        assertThat(source.isFinished()).isTrue();
        assertThat(fileSystem.listed()).hasSize(250);

        // Without listings, small batches are not needed
        assertThat(splitSource(Optional.empty(), rowGroups, TupleDomain.all(), Long.MAX_VALUE).getNextBatch(1000, DynamicFilterSnapshot.EMPTY).get()).hasSize(250);
    }

    @Test
    void testFileSystemWithoutBlocks()
            throws Exception
    {
        List<RowGroup> rowGroups = writeRowGroups(20);
        BlockLocatingFileSystem fileSystem = new BlockLocatingFileSystem(memory, _ -> Optional.empty());
        assertThat(splits(fileSystem, rowGroups, Long.MAX_VALUE, 1000)).hasSize(20)
                .extracting(AlbisSplit::getAddresses).containsOnly(ImmutableList.of());
        assertThat(fileSystem.listed()).hasSize(1);
    }

    @Test
    void testFailureToList()
            throws Exception
    {
        List<RowGroup> rowGroups = writeRowGroups(20);
        List<BlockLocatingFileSystem.BlockLocations> failures = ImmutableList.of(
                _ -> {
                    throw new IOException("the NameNode is gone");
                },
                _ -> {
                    throw new UncheckedIOException(new IOException("the NameNode is gone"));
                },
                _ -> Optional.of(ImmutableList.of(new Block(ImmutableList.of("host:port"), 0, LARGE))));
        for (BlockLocatingFileSystem.BlockLocations failure : failures) {
            Map<Location, Integer> asked = new HashMap<>();
            BlockLocatingFileSystem fileSystem = new BlockLocatingFileSystem(memory, file -> {
                // The first requests succeed
                return asked.merge(TABLE, 1, Integer::sum) > 6 ? failure.of(file) : blocksByName(file);
            });
            List<AlbisSplit> splits = splits(fileSystem, rowGroups, Long.MAX_VALUE, 1000);
            assertThat(splits).extracting(split -> split.rowGroup().id()).isEqualTo(ids(rowGroups));
            List<AlbisSplit> placed = splits.stream().filter(split -> !split.getAddresses().isEmpty()).toList();
            assertThat(placed).isNotEmpty().isEqualTo(splits.subList(0, placed.size()));
            assertThat(placed.size()).isLessThan(splits.size());
            // After the failure, no more requests are made for the remaining row groups
            assertThat(fileSystem.listed()).hasSize(placed.size() + 1);
        }
    }

    @Test
    void testMissingFile()
            throws Exception
    {
        List<RowGroup> rowGroups = writeRowGroups(3);
        RowGroup second = rowGroups.get(1);
        files.deleteFile(second.dataFile(TABLE, second.columnGroups().get(1)));
        BlockLocatingFileSystem fileSystem = new BlockLocatingFileSystem(memory, TestSplitLocality::blocksByName);
        assertThat(splits(fileSystem, rowGroups, Long.MAX_VALUE, 1000))
                .extracting(split -> split.getAddresses().size()).containsExactly(1, 0, 1);
    }

    private static List<UUID> ids(List<RowGroup> rowGroups)
    {
        return rowGroups.stream().map(RowGroup::id).collect(toImmutableList());
    }

    private static Optional<List<Block>> blocksByName(FileEntry file)
    {
        return Optional.of(ImmutableList.of(new Block(ImmutableList.of(host(file.location()), host(file.location())), 0, file.length())));
    }

    private static String host(Location file)
    {
        return file.parentDirectory().fileName();
    }

    private List<AlbisSplit> splits(BlockLocatingFileSystem fileSystem, List<RowGroup> rowGroups, long maxSplitBytes, int batchSize)
            throws Exception
    {
        AlbisSplitSource source = splitSource(Optional.of(fileSystem), rowGroups, TupleDomain.all(), maxSplitBytes);
        List<AlbisSplit> splits = new ArrayList<>();
        while (!source.isFinished()) {
            for (ConnectorSplit split : source.getNextBatch(batchSize, DynamicFilterSnapshot.EMPTY).get()) {
                splits.add((AlbisSplit) split);
            }
        }
        return splits;
    }

    private static AlbisSplitSource splitSource(Optional<BlockLocatingFileSystem> fileSystem, List<RowGroup> rowGroups, TupleDomain<AlbisColumnHandle> predicate, long maxSplitBytes)
    {
        return new AlbisSplitSource(
                () -> new SinglePiece(_ -> new ManifestSelection(rowGroups, 1, 0, 0)),
                PruningPredicate.of(predicate),
                true,
                _ -> maxSplitBytes,
                fileSystem.map(factory -> new HostLookup(factory.create(IDENTITY), TABLE)),
                Optional.empty(),
                0,
                MoreExecutors.directExecutor());
    }

    private List<RowGroup> writeRowGroups(int count)
            throws IOException
    {
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        for (int i = 0; i < count; i++) {
            byte[] value = ByteBuffer.allocate(Long.BYTES).order(LITTLE_ENDIAN).putLong(i).array();
            RowGroup rowGroup = new RowGroup(
                    new UUID(1, i),
                    1000,
                    ImmutableList.of(
                            new ColumnGroupInstance(new UUID(2, i), ImmutableList.of(0), SMALL, 0),
                            new ColumnGroupInstance(new UUID(3, i), ImmutableList.of(1), LARGE, 0)),
                    ImmutableList.of(new ColumnStatistics(0, 0, CONSTANT, Optional.of(value), Optional.of(value))));
            for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                files.newOutputFile(rowGroup.dataFile(TABLE, columnGroup)).createOrOverwrite(new byte[(int) columnGroup.dataBytes()]);
                files.newOutputFile(rowGroup.metadataFile(TABLE, columnGroup)).createOrOverwrite(new byte[1]);
            }
            rowGroups.add(rowGroup);
        }
        return rowGroups.build();
    }
}
