package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Ints;
import io.airlift.slice.Slice;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.PageChecksum;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.Compression;
import io.albis.format.run.NodeChunks;
import io.albis.format.run.Run;
import io.albis.format.run.StoredBytes;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.filesystem.Location;
import io.trino.spi.Page;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.trino.spi.predicate.TupleDomain.withColumnDomains;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Only the runs that are needed are decompressed, and compressed bytes or lengths that are invalid in spite of correct
 * checksums cause an error that names the place.
 */
@ParameterizedClass
@MethodSource("parameters")
final class TestDamagedCompression
        extends BaseCompressionTest
{
    TestDamagedCompression(AlbisLayout layout, Compression compression)
    {
        super(layout, compression);
    }

    @Test
    void testOnlyNeededRunsAreDecompressed()
            throws IOException
    {
        Page page = page();
        RowGroup rowGroup = write(page, compression);
        for (int damaged = 0; damaged < 3; damaged++) {
            int run = damaged;
            RowGroup other = withDamagedRun(rowGroup, run);
            for (int wanted = 0; wanted < 3; wanted++) {
                // in the row layout, the column of the predicate is in the same run, so all runs are needed
                TupleDomain<AlbisColumn> predicate = withColumnDomains(ImmutableMap.of(FLAG, Domain.singleValue(BOOLEAN, true), NUMBER, Domain.singleValue(BIGINT, (long) wanted * Run.MAX_ROWS)));
                Throwable failure = catchThrowable(() -> read(other, predicate));
                if (layout == AlbisLayout.BLOCK && wanted != run) {
                    assertThat(failure).as("run %s is damaged, run %s is wanted", run, wanted).isNull();
                }
                else {
                    assertDamaged(failure, "run " + run);
                }
            }
            assertDamaged(catchThrowable(() -> read(other, TupleDomain.all())), "run " + run);
        }
    }

    @Test
    void testDamagedBytes()
            throws IOException
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        RowGroup rowGroup = write(page(), compression);
        int damaged = 0;
        for (int round = 0; round < 100; round++) {
            int run = random.nextInt(3);
            RowGroup other = rewrite(rowGroup, chunk -> chunk, (file, begin, length, _, part) -> {
                if (part == run) {
                    file[begin + random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
                }
            });
            // a changed byte can be a byte of a value, which only the checksum protects
            Throwable failure = catchThrowable(() -> read(other, TupleDomain.all()));
            if (failure != null) {
                damaged++;
                assertThat(failure).as("seed %s", seed).isInstanceOf(AlbisDataException.class).hasMessageContaining("segment 0");
                assertThat(((AlbisDataException) failure).reason()).as("seed %s", seed).isEqualTo(DAMAGED);
            }
        }
        assertThat(damaged).as("seed %s", seed).isPositive();
    }

    @Test
    void testLengths()
            throws IOException
    {
        RowGroup rowGroup = write(page(), compression);
        for (int length : new int[] {-1, 1, 100, 1000}) {
            RowGroup other = withDecodedLengths(rowGroup, stored -> stored.decodedLength() + length);
            assertDamaged(catchThrowable(() -> read(other, TupleDomain.all())), rowGroup.id().toString());
        }
        for (int length : new int[] {0, 1}) {
            RowGroup other = withDecodedLengths(rowGroup, _ -> length);
            assertDamaged(catchThrowable(() -> read(other, TupleDomain.all())), "metadata");
        }
        // no memory is allocated for a length that the rows cannot have, or that is too much for the stored bytes
        for (int length : new int[] {1 << 28, 1 << 30, Integer.MAX_VALUE - 8}) {
            RowGroup other = withDecodedLengths(rowGroup, _ -> length);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            assertDamaged(catchThrowable(() -> read(other, TupleDomain.all())), "metadata");
            assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 25);
        }
    }

    @Test
    void testAnotherCompression()
            throws IOException
    {
        Compression another = compression == Compression.LZ4 ? Compression.ZSTD : Compression.LZ4;
        RowGroup rowGroup = write(page(), compression);
        RowGroup other = rewrite(rowGroup, chunk -> mapStored(chunk, stored -> new StoredBytes(another, stored.length(), stored.decodedLength(), stored.checksums())), (_, _, _, _, _) -> {});
        assertDamaged(catchThrowable(() -> read(other, TupleDomain.all())), another.toString());
    }

    private RowGroup withDecodedLengths(RowGroup rowGroup, ToIntFunction<StoredBytes> length)
            throws IOException
    {
        return rewrite(rowGroup, chunk -> mapStored(chunk, stored -> new StoredBytes(stored.compression(), stored.length(), length.applyAsInt(stored), stored.checksums())), (_, _, _, _, _) -> {});
    }

    private RowGroup withDamagedRun(RowGroup rowGroup, int run)
            throws IOException
    {
        return rewrite(rowGroup, chunk -> chunk, (file, begin, length, column, part) -> {
            if (part == run && (layout == AlbisLayout.ROW || column == COLUMNS.indexOf(TEXT))) {
                Arrays.fill(file, begin, begin + length, (byte) 0xFF);
            }
        });
    }

    private interface Change
    {
        /**
         * Changes the compressed bytes of a run.
         */
        void apply(byte[] file, int begin, int length, int column, int run);
    }

    /**
     * Rewrites both files with correct checksums.
     */
    private RowGroup rewrite(RowGroup rowGroup, UnaryOperator<Chunk> metadataChange, Change change)
            throws IOException
    {
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        Location dataFile = rowGroup.dataFile(FOLDER, instance);
        byte[] file = bytes(dataFile);
        ColumnGroupMetadata metadata = metadata(rowGroup);
        List<List<NodeChunks>> chunks = new ArrayList<>();
        List<List<ColumnStatistics>> statistics = new ArrayList<>();
        for (int column = 0; column < COLUMNS.size(); column++) {
            statistics.add(ImmutableList.of(metadata.statistics(column, 0)));
            if (layout == AlbisLayout.BLOCK || column == 0) {
                Chunk chunk = metadata.chunk(column, 0);
                chunks.add(ImmutableList.of(NodeChunks.of(metadataChange.apply(change(chunk, column, file, instance, change)))));
            }
        }
        Slice changed = MetadataCodec.encode(instance.id(), layout, metadata.columns(), metadata.dataBytes(), Ints.asList(metadata.segmentRows()), MetadataCodec.sections(layout, metadata.columns(), chunks, statistics, nCopies(COLUMNS.size(), Optional.empty()), nCopies(COLUMNS.size(), Optional.empty()), List.of()));
        overwrite(rowGroup.metadataFile(FOLDER, instance), changed.getBytes());
        overwrite(dataFile, file);
        ColumnGroupInstance crafted = new ColumnGroupInstance(instance.id(), instance.columnIds(), instance.dataBytes(), changed.length());
        return new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(crafted), rowGroup.statistics());
    }

    private static Chunk change(Chunk chunk, int column, byte[] file, ColumnGroupInstance instance, Change change)
    {
        PageChecksum checksum = new PageChecksum(instance.id());
        long offset = chunk.offset() + chunk.dictionaryLength();
        ImmutableList.Builder<Run> runs = ImmutableList.builder();
        for (int run = 0; run < chunk.runs().size(); run++) {
            Run original = chunk.runs().get(run);
            StoredBytes stored = original.stored();
            if (stored.compression() != Compression.NONE) {
                change.apply(file, (int) offset, stored.length(), column, run);
            }
            int[] checksums = new int[stored.checksums().length];
            for (int page = 0; page < checksums.length; page++) {
                int position = (int) offset + page * PageChecksum.PAGE_SIZE;
                checksums[page] = checksum.of(position, file, position, PageChecksum.pageLength(stored.paddedLength(), page));
            }
            runs.add(new Run(new StoredBytes(stored.compression(), stored.length(), stored.decodedLength(), checksums), original.nulls(), original.encoding()));
            offset += stored.paddedLength();
        }
        return new Chunk(chunk.encoding(), chunk.offset(), runs.build());
    }

    /**
     * Changes the description of all compressed parts.
     */
    private static Chunk mapStored(Chunk chunk, UnaryOperator<StoredBytes> change)
    {
        UnaryOperator<StoredBytes> onlyCompressed = stored -> stored.compression() == Compression.NONE ? stored : change.apply(stored);
        return new Chunk(
                chunk.encoding() instanceof Dictionary dictionary ? new Dictionary(dictionary.entries(), dictionary.sorted(), dictionary.values(), onlyCompressed.apply(dictionary.stored())) : chunk.encoding(),
                chunk.offset(),
                chunk.runs().stream()
                        .map(run -> new Run(onlyCompressed.apply(run.stored()), run.nulls(), run.encoding()))
                        .toList());
    }

    private static void assertDamaged(Throwable failure, String message)
    {
        assertThat(failure).isInstanceOf(AlbisDataException.class).hasMessageContaining(message);
        assertThat(((AlbisDataException) failure).reason()).isEqualTo(DAMAGED);
    }

    /**
     * Replaces a file and keeps the original, so that each change starts from it.
     */
    private void overwrite(Location location, byte[] bytes)
            throws IOException
    {
        Location original = original(location);
        if (!fileSystem.newInputFile(original).exists()) {
            fileSystem.newOutputFile(original).createOrOverwrite(bytes(location));
        }
        fileSystem.newOutputFile(location).createOrOverwrite(bytes);
    }
}
