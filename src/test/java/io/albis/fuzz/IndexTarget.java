package io.albis.fuzz;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Bytes;
import io.airlift.slice.Slices;
import io.albis.filesystem.FileBytes;
import io.albis.format.ValueListSearch;
import io.albis.format.filter.TestedValues;
import io.albis.format.index.StoredRange;
import io.albis.format.index.ValueList;
import io.albis.format.index.ValueListCodec;
import io.albis.format.index.ValueListReader;
import io.albis.format.index.ValueListWriter;
import io.albis.format.io.Decoding;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.PageChecksum;
import io.albis.format.io.ReadCounter;
import io.albis.format.io.StorageInput;
import io.albis.format.request.DataFile;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.Compression;
import io.albis.format.run.StoredBytes;
import io.albis.format.schema.AlbisColumn;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.block.Block;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;
import org.roaringbitmap.RoaringBitmap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.format.RandomNestedBlocks.flatBlock;
import static io.albis.format.type.FlatBlocks.flat;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The index of a column. The input is a number that selects the type of the column, the section of the index in the
 * metadata of the column group, and the data file without its header. The section gets the checksums of the data.
 */
final class IndexTarget
        implements FuzzTarget
{
    private static final Location LOCATION = Location.of("memory:///table/data");
    private static final UUID ID = new UUID(1, 2);
    private static final int ROWS = 1000;
    private static final int REQUEST_COST = 8192;
    private static final List<Type> TYPES = ImmutableList.of(BIGINT, VARCHAR, createCharType(5));

    @Override
    public void read(byte[] input)
            throws IOException
    {
        InputParts parts = new InputParts(input);
        Type type = TYPES.get(Math.floorMod(parts.nextNumber(), TYPES.size()));
        byte[] section = parts.next();
        byte[] file = Bytes.concat(FileFrame.header(FileKind.DATA, ID).getBytes(), parts.rest());
        ValueList stated = Decoding.decode(LOCATION, () -> ValueListCodec.decode(Slices.wrappedBuffer(section), file.length));
        ValueList list = new ValueList(
                withChecksums(stated.directory(), file),
                withChecksums(stated.pages(), file),
                withChecksums(stated.postings(), file),
                stated.rows(),
                stated.values(),
                stated.nulls(),
                stated.nullsLength());
        TrinoFileSystem fileSystem = new MemoryFileSystem();
        FileBytes.overwrite(fileSystem, LOCATION, file);
        for (Domain domain : domains(type)) {
            search(fileSystem, type, list, file.length, reader -> ValueListSearch.find(reader, domain, ROWS / 2));
        }
        TestedValues tests = new TestedValues(type, value -> value == null || value.hashCode() % 2 == 0);
        search(fileSystem, type, list, file.length, reader -> ValueListSearch.find(reader, tests, ROWS / 2));
    }

    private interface Search
    {
        Optional<RoaringBitmap> find(ValueListReader reader)
                throws IOException;
    }

    private static void search(TrinoFileSystem fileSystem, Type type, ValueList list, int length, Search search)
            throws IOException
    {
        try (DataFile dataFile = new DataFile(ID, new StorageInput(fileSystem, LOCATION, length, new ReadCounter()))) {
            Optional<RoaringBitmap> found = search.find(new ValueListReader(dataFile, list, AlbisColumn.make(1, "value", type), ROWS, REQUEST_COST));
            if (found.isPresent() && !found.get().isEmpty()) {
                assertThat(found.get().getLongCardinality()).isLessThanOrEqualTo(ROWS / 2);
                assertThat(found.get().last()).isBetween(0, ROWS - 1);
            }
        }
    }

    private static StoredRange withChecksums(StoredRange range, byte[] file)
    {
        PageChecksum checksum = new PageChecksum(ID);
        int[] checksums = range.bytes().checksums().clone();
        int length = range.bytes().paddedLength();
        for (int page = 0; page < checksums.length; page++) {
            long begin = range.offset() + (long) page * PageChecksum.PAGE_SIZE;
            int pageLength = PageChecksum.pageLength(length, page);
            if (begin + pageLength <= file.length) {
                checksums[page] = checksum.of(begin, file, (int) begin, pageLength);
            }
        }
        return new StoredRange(range.offset(), StoredBytes.plain(range.bytes().length(), checksums));
    }

    private static List<Domain> domains(Type type)
    {
        Object low = type == BIGINT ? (Object) (-1L << 60) : utf8Slice("b");
        Object high = type == BIGINT ? (Object) (1L << 60) : utf8Slice("q");
        return ImmutableList.of(
                Domain.singleValue(type, high),
                Domain.onlyNull(type),
                Domain.create(ValueSet.ofRanges(Range.lessThan(type, low), Range.equal(type, high)), false),
                Domain.create(ValueSet.ofRanges(Range.greaterThanOrEqual(type, low)), true));
    }

    @Override
    public Map<String, byte[]> writeSeeds()
            throws IOException
    {
        return ImmutableMap.of(
                "numbers", seed(0, 60, 100),
                "texts", seed(1, 60, 100),
                "padded", seed(2, 60, 100),
                // each value has so many rows that bitmaps are smaller than lists
                "repeated", seed(0, 900, 2));
    }

    private static byte[] seed(int type, int rows, int distinctValues)
            throws IOException
    {
        Random random = new Random(type);
        int[] positions = random.ints(rows, 0, distinctValues).sorted().toArray();
        Block block = flatBlock(random, TYPES.get(type), distinctValues, 0.1, 5).getPositions(positions, 0, rows);
        ValueBlock values = flat(block, 0, rows);
        ValueListWriter writer = new ValueListWriter(TYPES.get(type));
        writer.append(values, 0, rows);
        TrinoFileSystem fileSystem = new MemoryFileSystem();
        ChunkOutput output = new ChunkOutput(fileSystem.newOutputFile(LOCATION).create(), ID, Compression.NONE);
        output.writeHeader();
        ValueList list = writer.write(output).orElseThrow();
        output.writeEnd();
        output.close();
        byte[] file = FileBytes.read(fileSystem, LOCATION);
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        input.writeBytes(ByteBuffer.allocate(Integer.BYTES).order(LITTLE_ENDIAN).putInt(type).array());
        InputParts.write(ValueListCodec.encode(list).getBytes(), input);
        input.writeBytes(Arrays.copyOfRange(file, FileFrame.HEADER_SIZE, file.length));
        return input.toByteArray();
    }
}
