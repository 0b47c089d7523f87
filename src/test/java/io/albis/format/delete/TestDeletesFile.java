package io.albis.format.delete;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Bytes;
import io.albis.filesystem.FileBytes;
import io.albis.format.ReadHookFileSystem;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.PageChecksum;
import io.albis.format.metadata.DeletedRows;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;

import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Bitmaps that were written are read back, and no damaged or crafted file causes a wrong position, a crash, or a large
 * allocation.
 */
final class TestDeletesFile
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final int ROWS = 150_000;

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));
    private final UUID file = UUID.fromString("94c2e6dc-9939-488d-976a-83e567e9238a");

    @Test
    void testRoundTrip()
            throws IOException
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<DeletedPositions> bitmaps = new ArrayList<>();
        bitmaps.add(DeletedPositions.ofRange(0, ROWS));
        for (int i = 0; i < 50; i++) {
            RoaringBitmap bitmap = RoaringBitmap.bitmapOf(random.ints(1 + random.nextInt(1 << random.nextInt(17)), 0, ROWS).toArray());
            if (random.nextBoolean()) {
                int begin = random.nextInt(ROWS - 1);
                bitmap.add(begin, begin + (long) random.nextInt(ROWS - begin));
            }
            bitmaps.add(DeletedPositions.of(bitmap));
        }
        List<DeletedRows> references = write(bitmaps);
        long offset = FileFrame.HEADER_SIZE;
        for (int i = 0; i < bitmaps.size(); i++) {
            DeletedRows reference = references.get(i);
            assertThat(reference.file()).isEqualTo(file);
            assertThat(reference.offset()).isEqualTo(offset);
            assertThat(reference.count()).isEqualTo(bitmaps.get(i).cardinality());
            assertThat(read(reference, ROWS)).as("seed %s", seed).isEqualTo(bitmaps.get(i));
            offset += reference.length();
        }
        assertThat(fileSystem.newInputFile(location()).length()).isEqualTo(offset);
        assertThat(location()).isEqualTo(Location.of("memory:///table/deletes/9a/94c2e6dc-9939-488d-976a-83e567e9238a"));
    }

    @Test
    void testFileOfWriter()
            throws IOException
    {
        DeletesWriter empty = new DeletesWriter(fileSystem, FOLDER, file);
        assertThatThrownBy(() -> empty.add(DeletedPositions.NONE)).isInstanceOf(IllegalArgumentException.class);
        empty.close();
        empty.abort();
        assertThat(fileSystem.newInputFile(location()).exists()).isFalse();

        DeletesWriter writer = new DeletesWriter(fileSystem, FOLDER, file);
        DeletedRows reference = writer.add(DeletedPositions.of(1, 5));
        assertThat(writer.writtenBytes()).isEqualTo(FileFrame.HEADER_SIZE + reference.length());
        writer.close();
        writer.close();
        assertThatThrownBy(() -> writer.add(DeletedPositions.of(1))).isInstanceOf(IllegalStateException.class);
        assertThat(read(reference, 6)).isEqualTo(DeletedPositions.of(1, 5));
        writer.abort();
        assertThat(fileSystem.newInputFile(location()).exists()).isFalse();

        DeletesWriter open = new DeletesWriter(fileSystem, FOLDER, file);
        open.add(DeletedPositions.of(1, 5));
        open.abort();
        open.abort();
        assertThat(fileSystem.newInputFile(location()).exists()).isFalse();
    }

    /**
     * Each bitmap takes one request, and the first one includes the header.
     */
    @Test
    void testRequests()
            throws IOException
    {
        List<DeletedRows> references = write(ImmutableList.of(DeletedPositions.of(1), DeletedPositions.of(2, 3)));
        List<String> reads = new ArrayList<>();
        TrinoFileSystem counting = new ReadHookFileSystem(fileSystem, read -> reads.add(read.position() + " " + read.length()));
        for (DeletedRows reference : references) {
            DeletesReader.read(counting, FOLDER, reference, 10);
        }
        assertThat(reads).containsExactly(
                "0 %s".formatted(FileFrame.HEADER_SIZE + references.getFirst().length()),
                "%s %s".formatted(references.get(1).offset(), references.get(1).length()));
    }

    @Test
    void testFlippedBits()
            throws IOException
    {
        List<DeletedPositions> bitmaps = ImmutableList.of(DeletedPositions.of(1, 70_000), DeletedPositions.ofRange(5, 90_000), DeletedPositions.of(7));
        List<DeletedRows> references = write(bitmaps);
        byte[] bytes = FileBytes.read(fileSystem, location());
        for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
            FileBytes.overwrite(fileSystem, location(), damaged);
            for (int i = 0; i < bitmaps.size(); i++) {
                DeletedRows reference = references.get(i);
                // the header is read together with the first bitmap
                long begin = i == 0 ? 0 : reference.offset();
                if (bit / Byte.SIZE >= begin && bit / Byte.SIZE < reference.offset() + reference.length()) {
                    assertDamaged(reference, ROWS);
                }
                else {
                    assertThat(read(reference, ROWS)).isEqualTo(bitmaps.get(i));
                }
            }
        }
        System.out.println("Damage: TestDeletesFile flipped %s bits of a file".formatted(bytes.length * Byte.SIZE));
    }

    @Test
    void testTruncatedFile()
            throws IOException
    {
        List<DeletedRows> references = write(ImmutableList.of(DeletedPositions.of(1, 70_000), DeletedPositions.of(7)));
        byte[] bytes = FileBytes.read(fileSystem, location());
        for (int length = 0; length < bytes.length; length++) {
            FileBytes.overwrite(fileSystem, location(), Arrays.copyOf(bytes, length));
            assertDamaged(references.getLast(), ROWS);
            if (length < references.getLast().offset()) {
                assertDamaged(references.getFirst(), ROWS);
            }
            else {
                assertThat(read(references.getFirst(), ROWS)).isEqualTo(DeletedPositions.of(1, 70_000));
            }
        }
        fileSystem.deleteFile(location());
        assertThatThrownBy(() -> read(references.getFirst(), ROWS))
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                .hasMessage("Damaged Albis table: file %s is missing", location());
    }

    /**
     * A reference finds only its own bitmap, even if another one has the same bytes.
     */
    @Test
    void testSwappedBitmaps()
            throws IOException
    {
        List<DeletedRows> references = write(ImmutableList.of(DeletedPositions.of(1), DeletedPositions.of(2), DeletedPositions.of(1)));
        DeletedRows first = references.getFirst();
        for (DeletedRows other : references.subList(1, 3)) {
            assertDamaged(new DeletedRows(file, other.offset(), first.length(), first.checksum(), first.count()), ROWS);
        }
        byte[] bytes = FileBytes.read(fileSystem, location());
        UUID otherFile = UUID.randomUUID();
        FileBytes.overwrite(fileSystem, DeletedRows.location(FOLDER, otherFile), bytes);
        for (DeletedRows reference : references) {
            assertDamaged(new DeletedRows(otherFile, reference.offset(), reference.length(), reference.checksum(), reference.count()), ROWS);
        }
    }

    @Test
    void testNewerFile()
            throws IOException
    {
        DeletedRows reference = write(ImmutableList.of(DeletedPositions.of(1))).getFirst();
        byte[] bytes = FileBytes.read(fileSystem, location());
        bytes[8]++;
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, 12);
        checksum.update(bytes, 16, 16);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(12, (int) checksum.getValue());
        FileBytes.overwrite(fileSystem, location(), bytes);
        assertThatThrownBy(() -> read(reference, ROWS))
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(TOO_NEW));
    }

    @Test
    void testReferenceThatContradictsTheBitmap()
            throws IOException
    {
        DeletedPositions positions = DeletedPositions.of(3, 9);
        DeletedRows reference = write(ImmutableList.of(positions)).getFirst();
        assertThat(read(reference, 10)).isEqualTo(positions);
        assertDamaged(reference, 9, "has the position 9 of a row group with 9 rows");
        for (long count : new long[] {1, 3}) {
            // one position may have too few bytes
            assertDamaged(new DeletedRows(file, reference.offset(), reference.length(), reference.checksum(), count), 10);
        }
        assertDamaged(new DeletedRows(file, reference.offset(), reference.length(), reference.checksum(), 3), 10, "has 2 positions instead of 3");
    }

    /**
     * The length in a reference is checked before memory is allocated.
     */
    @Test
    void testLengths()
            throws IOException
    {
        write(ImmutableList.of(DeletedPositions.of(1)));
        for (long count : new long[] {1, 1000, 1 << 20}) {
            assertDamaged(new DeletedRows(file, 32, Integer.MAX_VALUE, 0, count), 1 << 20, "has 2147483647 bytes, but at most");
        }
        // so many deleted rows can have a bitmap of this size, but the file is smaller
        assertDamaged(new DeletedRows(file, 32, 250_000_000, 0, 2_000_000_000), Integer.MAX_VALUE, "its length is");
        assertDamaged(new DeletedRows(file, Long.MAX_VALUE - Integer.MAX_VALUE, 100, 0, 2_000_000_000), Integer.MAX_VALUE);
    }

    /**
     * Bytes that are not a bitmap, with the checksum that matches.
     */
    @Test
    void testCraftedBitmaps()
            throws IOException
    {
        int noRuns = 12346;
        int runs = 12347;
        // correct
        assertThat(craft(3, bytes(noRuns, 1), shorts(0, 2), bytes(16), shorts(4, 5, 6))).isEqualTo(DeletedPositions.of(4, 5, 6));
        assertThat(craft(7, bytes(runs), new byte[] {1}, shorts(0, 6), shorts(1, 4, 6))).isEqualTo(DeletedPositions.ofRange(4, 11));
        // another cookie
        assertInvalid(3, bytes(noRuns + 2, 1), shorts(0, 2), bytes(16), shorts(4, 5, 6));
        // number of containers
        assertInvalid(3, bytes(noRuns, 0));
        assertInvalid(3, bytes(noRuns, -1), shorts(0, 2), bytes(16), shorts(4, 5, 6));
        assertInvalid(3, bytes(noRuns, Integer.MIN_VALUE), shorts(0, 2), bytes(16), shorts(4, 5, 6));
        assertInvalid(3, bytes(noRuns, 65_537), shorts(0, 2), bytes(16), shorts(4, 5, 6));
        assertInvalid(3, bytes(noRuns, 65_536), shorts(0, 2), bytes(16), shorts(4, 5, 6));
        assertInvalid(3, bytes(noRuns, 2), shorts(0, 2), bytes(16), shorts(4, 5, 6));
        // keys that do not ascend
        assertInvalid(2, bytes(noRuns, 2), shorts(1, 0, 0, 0), bytes(24, 26), shorts(4, 5));
        assertInvalid(2, bytes(noRuns, 2), shorts(1, 0, 1, 0), bytes(24, 26), shorts(4, 5));
        // positions that do not ascend
        assertInvalid(3, bytes(noRuns, 1), shorts(0, 2), bytes(16), shorts(4, 6, 5));
        assertInvalid(3, bytes(noRuns, 1), shorts(0, 2), bytes(16), shorts(4, 4, 5));
        // too few and too many bytes
        assertInvalid(3, bytes(noRuns, 1), shorts(0, 2), bytes(16), shorts(4, 5));
        assertInvalid(3, bytes(noRuns, 1), shorts(0, 1), bytes(16), shorts(4, 5, 6));
        // ranges without a range, that touch, overlap, and exceed their container
        assertInvalid(7, bytes(runs), new byte[] {1}, shorts(0, 6), shorts(0));
        assertInvalid(9, bytes(runs), new byte[] {1}, shorts(0, 8), shorts(2, 4, 3, 8, 4));
        assertInvalid(9, bytes(runs), new byte[] {1}, shorts(0, 8), shorts(2, 4, 3, 6, 4));
        assertInvalid(7, bytes(runs), new byte[] {1}, shorts(0, 6), shorts(1, 0xFFFC, 6));
        // a set of bits whose number is another one
        assertInvalid(5000, bytes(noRuns, 1), shorts(0, 4999), bytes(16), new byte[8192]);
        // every position of the second container, which the row group does not have
        assertInvalid(65_536, bytes(runs), new byte[] {1}, shorts(0x8000, 0xFFFF), shorts(1, 0, 0xFFFF));
        // the last position
        assertInvalid(1, bytes(noRuns, 1), shorts(0xFFFF, 0), bytes(16), shorts(0xFFFF));
    }

    @Test
    void testRandomBytes()
            throws IOException
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int valid = 0;
        int[] rows = new int[ROWS];
        for (int i = 0; i < 2_000; i++) {
            RoaringBitmap bitmap = RoaringBitmap.bitmapOf(random.ints(1 + random.nextInt(20), 0, ROWS).toArray());
            if (random.nextBoolean()) {
                int begin = random.nextInt(ROWS);
                bitmap.add(begin, begin + 1L + random.nextInt(ROWS - begin));
            }
            bitmap.runOptimize();
            byte[] bytes = new byte[bitmap.serializedSizeInBytes()];
            bitmap.serialize(ByteBuffer.wrap(bytes));
            for (int change = random.nextInt(3); change >= 0; change--) {
                bytes[random.nextInt(Math.min(bytes.length, 40))] = (byte) random.nextInt();
            }
            long count = bitmap.getLongCardinality();
            try {
                DeletedPositions positions = craft(count, bytes);
                assertThat(positions.cardinality()).as("seed %s", seed).isEqualTo(count);
                // a position that is not in the row group, or that is there twice, would make the rest too large
                assertThat(positions.selectLive(0, ROWS, rows)).as("seed %s", seed).isEqualTo(ROWS - (int) count);
                valid++;
            }
            catch (AlbisDataException e) {
                assertThat(e.reason()).as("seed %s", seed).isEqualTo(DAMAGED);
            }
        }
        // a changed position may be a valid one
        assertThat(valid).as("seed %s", seed).isBetween(1, 1_900);
    }

    private void assertInvalid(long count, byte[]... parts)
    {
        assertThatThrownBy(() -> craft(count, parts))
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                .hasMessageContaining(location().toString());
    }

    private DeletedPositions craft(long count, byte[]... parts)
            throws IOException
    {
        byte[] bitmap = Bytes.concat(parts);
        byte[] bytes = Bytes.concat(FileFrame.header(FileKind.DELETES, file).getBytes(), bitmap);
        FileBytes.overwrite(fileSystem, location(), bytes);
        int checksum = new PageChecksum(file).of(FileFrame.HEADER_SIZE, bytes, FileFrame.HEADER_SIZE, bitmap.length);
        return read(new DeletedRows(file, FileFrame.HEADER_SIZE, bitmap.length, checksum, count), ROWS);
    }

    private static byte[] bytes(int... values)
    {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int value : values) {
            bytes.putInt(value);
        }
        return bytes.array();
    }

    private static byte[] shorts(int... values)
    {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int value : values) {
            bytes.putShort((short) value);
        }
        return bytes.array();
    }

    private List<DeletedRows> write(List<DeletedPositions> bitmaps)
            throws IOException
    {
        DeletesWriter writer = new DeletesWriter(fileSystem, FOLDER, file);
        ImmutableList.Builder<DeletedRows> references = ImmutableList.builder();
        for (DeletedPositions bitmap : bitmaps) {
            references.add(writer.add(bitmap));
        }
        writer.close();
        return references.build();
    }

    private DeletedPositions read(DeletedRows reference, long rows)
            throws IOException
    {
        return DeletesReader.read(fileSystem, FOLDER, reference, rows);
    }

    private void assertDamaged(DeletedRows reference, long rows)
    {
        assertDamaged(reference, rows, "Damaged Albis");
    }

    private void assertDamaged(DeletedRows reference, long rows, String message)
    {
        assertThatThrownBy(() -> read(reference, rows))
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                .hasMessageContaining(reference.location(FOLDER).toString())
                .hasMessageContaining(message);
    }

    private Location location()
    {
        return DeletedRows.location(FOLDER, file);
    }
}
