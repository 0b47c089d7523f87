package io.albis.format;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.spi.Page;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.TypeOperators;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.RandomNestedBlocks.flatBlock;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Metadata and manifest entries with random damage but correct checksums cause a descriptive error or no error, and
 * never allocate much memory. The tests of {@code io.albis.fuzz} do so with more kinds of files and of damage.
 */
final class TestRandomMetadata
        extends BaseCraftedMetadataTest
{
    // nodes: array, row, integer, map, keys, values
    private static final AlbisColumn NESTED = AlbisColumn.make(1, "nested", new ArrayType(RowType.rowType(
            RowType.field("a", INTEGER),
            RowType.field("b", new MapType(BIGINT, VARCHAR, new TypeOperators())))));

    @ParameterizedTest
    @EnumSource
    void testRandomBytes(AlbisLayout layout)
            throws IOException
    {
        fuzz(layout, 1500);
    }

    @Test
    void testNestedColumn()
            throws IOException
    {
        fuzzNested(300);
    }

    private void fuzz(AlbisLayout layout, int rounds)
            throws IOException
    {
        RowGroup rowGroup = write(layout, WriterOptions.DEFAULTS.withSegmentBytes(2 * WriterOptions.MIN_SEGMENT_BYTES));
        fuzz(layout.toString(), rowGroup, RowGroupScan.of(COLUMNS, PREDICATE), rounds);
    }

    private void fuzzNested(int rounds)
            throws IOException
    {
        long seed = new Random().nextLong();
        WriterOptions options = WriterOptions.DEFAULTS.withSegmentBytes(2 * WriterOptions.MIN_SEGMENT_BYTES);
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, AlbisSchema.makeSchema(AlbisColumnGroup.make(NESTED)).rowGroupSchema(), options);
        writer.append(new Page(flatBlock(new Random(seed), NESTED.type(), ROWS, 0.2, 6)));
        fuzz("values of seed %s".formatted(seed), getOnlyElement(writer.finish()), RowGroupScan.of(List.of(NESTED), TupleDomain.all()), rounds);
    }

    private void fuzz(String name, RowGroup rowGroup, RowGroupScan scan, int rounds)
            throws IOException
    {
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        Location metadataFile = rowGroup.metadataFile(FOLDER, instance);
        byte[] metadata = bytes(metadataFile);
        DynamicSliceOutput output = new DynamicSliceOutput(100);
        RowGroupCodec.write(rowGroup, output);
        byte[] entry = output.slice().getBytes();
        long firstSeed = new Random().nextLong();
        // seeds that follow each other give the same first numbers, so each round draws its own
        Random seeds = new Random(firstSeed);
        AtomicInteger damagedMetadata = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        for (int round = 0; round < rounds; round++) {
            long seed = seeds.nextLong();
            String description = "%s, seed %s".formatted(name, seed);
            Random random = new Random(seed);
            boolean inEntry = random.nextInt(4) == 0;
            RowGroup crafted = rowGroup;
            if (inEntry) {
                byte[] bytes = entry.clone();
                damage(random, bytes, 0, bytes.length);
                try {
                    crafted = RowGroupCodec.read(Slices.wrappedBuffer(bytes).getInput());
                }
                catch (IllegalArgumentException | IndexOutOfBoundsException _) {
                    // the exceptions that callers expect
                    continue;
                }
            }
            else {
                damagedMetadata.incrementAndGet();
                byte[] bytes = metadata.clone();
                damage(random, bytes, 32, bytes.length - 4);
                overwrite(metadataFile, withChecksum(bytes));
            }
            RowGroup read = crafted;
            assertLittleMemory(description, () -> {
                Throwable failure = catchThrowable(() -> {
                    if (inEntry) {
                        StatisticsDomains.overlaps(read, scan.predicate());
                    }
                    readAll(read, scan, () -> {});
                });
                if (failure instanceof UncheckedIOException unchecked && inEntry) {
                    failure = unchecked.getCause();
                }
                if (failure != null) {
                    assertThat(failure).as(description).isInstanceOf(AlbisDataException.class);
                    failures.addAndGet(inEntry ? 0 : 1);
                }
            });
            overwrite(metadataFile, metadata);
        }
        // most bytes of the metadata are checksums, lengths, codes, and offsets, which a reader checks
        assertThat(failures.get()).as("errors of %s damaged files, %s, first seed %s", damagedMetadata, name, firstSeed).isGreaterThan(damagedMetadata.get() / 2);
        readAll(rowGroup, scan, () -> {});
    }

    private static void damage(Random random, byte[] bytes, int begin, int end)
    {
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int index = begin + random.nextInt(end - begin);
            switch (random.nextInt(4)) {
                case 0 -> bytes[index] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[index] = (byte) random.nextInt(256);
                case 2 -> bytes[index] = (byte) (random.nextBoolean() ? 0xFF : 0x7F);
                default -> {
                    // a whole number
                    int size = Math.min(1 << random.nextInt(4), end - index);
                    for (int j = 0; j < size; j++) {
                        bytes[index + j] = (byte) (j == size - 1 ? 0x7F : 0xFF);
                    }
                }
            }
        }
    }
}
