package io.albis.fuzz;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Bytes;
import io.albis.filesystem.FileBytes;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.PageChecksum;
import io.albis.format.metadata.DeletedRows;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A deletes file. The input is the number of rows of the row group and a bitmap. The reference to the bitmap has the
 * number of positions that the library of the bitmaps finds in it.
 */
final class DeletesTarget
        implements FuzzTarget
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final UUID FILE = new UUID(1, 2);
    private static final int MAX_POSITIONS = 1000;

    @Override
    public void read(byte[] input)
            throws IOException
    {
        InputParts parts = new InputParts(input);
        int rows = Math.max(1, parts.nextNumber() & Integer.MAX_VALUE);
        byte[] bitmap = parts.rest();
        if (bitmap.length == 0) {
            return;
        }
        TrinoFileSystem fileSystem = new MemoryFileSystem();
        FileBytes.overwrite(fileSystem, DeletedRows.location(FOLDER, FILE), Bytes.concat(FileFrame.header(FileKind.DELETES, FILE).getBytes(), bitmap));
        int checksum = new PageChecksum(FILE).of(FileFrame.HEADER_SIZE, bitmap, 0, bitmap.length);
        DeletedRows reference = new DeletedRows(FILE, FileFrame.HEADER_SIZE, bitmap.length, checksum, count(bitmap));
        DeletedPositions positions = DeletesReader.read(fileSystem, FOLDER, reference, rows);
        assertThat(positions.cardinality()).isEqualTo(reference.count()).isBetween(1L, (long) rows);
        check(positions, rows);
    }

    private static long count(byte[] bitmap)
    {
        RoaringBitmap decoded = new RoaringBitmap();
        try {
            decoded.deserialize(ByteBuffer.wrap(bitmap));
            return Math.max(1, decoded.getLongCardinality());
        }
        catch (IOException | RuntimeException e) {
            // the reader refuses it, too
            return 1;
        }
    }

    /**
     * Uses the positions as readers and writers do.
     */
    private static void check(DeletedPositions positions, int rows)
            throws IOException
    {
        assertThat(positions.cardinality(0, rows)).isEqualTo(positions.cardinality());
        assertThat(positions.isEmpty(0, rows)).isFalse();
        int first = Math.min(rows, MAX_POSITIONS);
        int[] live = new int[first];
        int liveCount = positions.selectLive(0, first, live);
        assertThat(positions.deletedRows(0, first)).hasSize(first - liveCount);
        for (int i = 0; i < liveCount; i++) {
            assertThat(positions.contains(live[i])).isFalse();
        }
        int remaining = (int) Math.min(MAX_POSITIONS, rows - positions.cardinality());
        for (long position : positions.livePositions(0, remaining)) {
            assertThat(positions.contains((int) position)).isFalse();
        }
        assertThat(positions.retainedSize()).isPositive();
        assertThat(positions.minus(positions).isEmpty()).isTrue();
        DeletedPositions union = positions.union(DeletedPositions.of(0));
        assertThat(positions.minus(union).isEmpty()).isTrue();
        TrinoFileSystem fileSystem = new MemoryFileSystem();
        DeletesWriter writer = new DeletesWriter(fileSystem, FOLDER, FILE);
        DeletedRows written = writer.add(union);
        writer.close();
        assertThat(DeletesReader.read(fileSystem, FOLDER, written, rows)).isEqualTo(union);
    }

    @Override
    public Map<String, byte[]> writeSeeds()
            throws IOException
    {
        RoaringBitmap mixed = RoaringBitmap.bitmapOf(3, 5, 70_000, 70_002, 200_000);
        mixed.add(300_000L, 300_100L);
        RoaringBitmap dense = new RoaringBitmap();
        for (int position = 0; position < 1 << 16; position += 3) {
            dense.add(position);
        }
        return ImmutableMap.of(
                "one", seed(DeletedPositions.of(7), 10),
                "range", seed(DeletedPositions.ofRange(2, 100_000), 150_000),
                "mixed", seed(DeletedPositions.of(mixed), 1_000_000),
                "dense", seed(DeletedPositions.of(dense), 1 << 16),
                "last", seed(DeletedPositions.of(Integer.MAX_VALUE - 1), Integer.MAX_VALUE));
    }

    private static byte[] seed(DeletedPositions positions, int rows)
            throws IOException
    {
        TrinoFileSystem fileSystem = new MemoryFileSystem();
        DeletesWriter writer = new DeletesWriter(fileSystem, FOLDER, FILE);
        DeletedRows reference = writer.add(positions);
        writer.close();
        byte[] file = FileBytes.read(fileSystem, reference.location(FOLDER));
        byte[] count = ByteBuffer.allocate(Integer.BYTES).order(LITTLE_ENDIAN).putInt(rows).array();
        return Bytes.concat(count, Arrays.copyOfRange(file, FileFrame.HEADER_SIZE, file.length));
    }
}
