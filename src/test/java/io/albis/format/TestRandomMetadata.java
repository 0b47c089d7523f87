package io.albis.format;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Metadata and manifest entries with random damage but correct checksums cause a descriptive error or no error, and never
 * allocate much memory.
 */
final class TestRandomMetadata
        extends BaseCraftedMetadataTest
{
    @ParameterizedTest
    @EnumSource
    void testRandomBytes(AlbisLayout layout)
            throws IOException
    {
        fuzz(layout, 1500);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void testManyRandomBytes(AlbisLayout layout)
            throws IOException
    {
        fuzz(layout, 100_000);
    }

    private void fuzz(AlbisLayout layout, int rounds)
            throws IOException
    {
        RowGroup rowGroup = write(layout, WriterOptions.DEFAULTS.withSegmentBytes(2 * WriterOptions.MIN_SEGMENT_BYTES));
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        Location metadataFile = rowGroup.metadataFile(FOLDER, instance);
        byte[] metadata = bytes(metadataFile);
        DynamicSliceOutput output = new DynamicSliceOutput(100);
        RowGroupCodec.write(rowGroup, output);
        byte[] entry = output.slice().getBytes();
        long seed = new Random().nextLong();
        for (int round = 0; round < rounds; round++) {
            String description = "%s, seed %s".formatted(layout, seed + round);
            Random random = new Random(seed + round);
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
                byte[] bytes = metadata.clone();
                damage(random, bytes, 32, bytes.length - 4);
                overwrite(metadataFile, withChecksum(bytes));
            }
            RowGroup read = crafted;
            assertLittleMemory(description, () -> {
                Throwable failure = catchThrowable(() -> {
                    if (inEntry) {
                        StatisticsDomains.overlaps(read, PREDICATE);
                    }
                    readAll(read);
                });
                if (failure instanceof UncheckedIOException unchecked && inEntry) {
                    failure = unchecked.getCause();
                }
                if (failure != null) {
                    assertThat(failure).as(description).isInstanceOf(AlbisDataException.class);
                }
            });
            overwrite(metadataFile, metadata);
        }
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
