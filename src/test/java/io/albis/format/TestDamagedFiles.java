package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.filesystem.FileBytes;
import io.albis.filesystem.FileDamage;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Segment;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;

import static io.albis.format.RandomBlocks.randomBlock;
import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.albis.format.io.AlbisDataException.Reason.TOO_OLD;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Any damage to a file causes an error that names the place, and never a wrong row.
 */
@ParameterizedClass
@EnumSource(AlbisLayout.class)
final class TestDamagedFiles
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final int ROWS = 150;
    private static final int DIFFERENT_TEXTS = 5;

    private final AlbisLayout layout;
    private final AlbisSchema schema;

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));
    private RowGroup rowGroup;

    TestDamagedFiles(AlbisLayout layout)
    {
        this.layout = layout;
        schema = AlbisSchema.makeSchema(
                AlbisColumnGroup.make(
                        layout,
                        AlbisColumn.make("number", BIGINT),
                        AlbisColumn.make("text", createVarcharType(10)),
                        AlbisColumn.make("word", createVarcharType(10)),
                        AlbisColumn.make("flag", BOOLEAN),
                        AlbisColumn.make("code", createDecimalType(38)),
                        AlbisColumn.make("sparse", BIGINT)),
                AlbisColumnGroup.make(layout, AlbisColumn.make("other", BIGINT)));
    }

    @BeforeEach
    void setup()
            throws IOException
    {
        rowGroup = write(FOLDER, 42);
        readAll(rowGroup);
    }

    private RowGroup write(Location folder, long seed)
            throws IOException
    {
        Random random = new Random(seed);
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, folder, schema.rowGroupSchema(), WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES));
        int[] words = random.ints(ROWS, 0, DIFFERENT_TEXTS).toArray();
        writer.append(new Page(schema.columns().stream()
                .map(column -> {
                    Block block = randomBlock(random, column.type(), ROWS, 0.2);
                    return switch (column.name()) {
                        // few distinct values have a dictionary
                        case "word", "code" -> block.getPositions(words, 0, ROWS);
                        case "sparse" -> sparseBlock();
                        default -> block;
                    };
                })
                .toArray(Block[]::new)));
        RowGroup rowGroup = writer.finish().getFirst();
        assertThat(rowGroup.columnGroups()).hasSize(2);
        return rowGroup;
    }

    /**
     * Small numbers with an outlier in each segment.
     */
    private static Block sparseBlock()
    {
        BlockBuilder builder = BIGINT.createBlockBuilder(null, ROWS);
        for (int row = 0; row < ROWS; row++) {
            BIGINT.writeLong(builder, row % 70 == 20 ? Long.MAX_VALUE : row % 2);
        }
        return builder.build();
    }

    /**
     * Every bit and every length of the metadata, and of the data at least one bit of each byte.
     */
    @Test
    void testEveryBitAndLength()
            throws IOException
    {
        FileDamage damage = new FileDamage("TestDamagedFiles of the %s layout".formatted(layout));
        for (Location location : files()) {
            byte[] bytes = FileBytes.read(fileSystem, location);
            FileDamage.Check check = (damaged, description) -> {
                FileBytes.overwrite(fileSystem, location, damaged);
                assertDamaged(location, "%s of %s".formatted(description, location));
            };
            if (isData(location)) {
                damage.some(bytes, checkedLength(location, bytes), 1, check);
            }
            else {
                damage.all(bytes, bytes.length, check);
            }
            FileBytes.overwrite(fileSystem, location, bytes);
        }
        readAll(rowGroup);
        damage.print();
    }

    @Test
    void testMissingFiles()
            throws IOException
    {
        for (Location location : files()) {
            byte[] bytes = FileBytes.read(fileSystem, location);
            fileSystem.deleteFile(location);
            assertDamaged(location, "without " + location);
            FileBytes.overwrite(fileSystem, location, bytes);
        }
    }

    @Test
    void testBytesAfterTheLastSegment()
            throws IOException
    {
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            Location location = rowGroup.dataFile(FOLDER, instance);
            byte[] bytes = FileBytes.read(fileSystem, location);
            assertThat(Arrays.copyOfRange(bytes, bytes.length - Segment.END_SLACK, bytes.length)).containsOnly(0);
            // no reader uses them
            Arrays.fill(bytes, bytes.length - Segment.END_SLACK, bytes.length, (byte) 7);
            FileBytes.overwrite(fileSystem, location, bytes);
            readAll(rowGroup);
        }
    }

    @Test
    void testMovedPages()
            throws IOException
    {
        // the checksum of a page includes its offset, so the pages of two runs cannot be exchanged
        ColumnGroupInstance instance = rowGroup.columnGroups().getLast();
        Location location = rowGroup.dataFile(FOLDER, instance);
        byte[] bytes = FileBytes.read(fileSystem, location);
        int first = FileFrame.HEADER_SIZE;
        for (int length = 8; length < bytes.length / 4; length += 8) {
            byte[] damaged = bytes.clone();
            System.arraycopy(bytes, first, damaged, first + length, length);
            System.arraycopy(bytes, first + length, damaged, first, length);
            if (!Arrays.equals(damaged, bytes)) {
                FileBytes.overwrite(fileSystem, location, damaged);
                assertDamaged(location, "%s bytes were exchanged".formatted(length));
            }
        }
    }

    @Test
    void testFilesOfAnotherTable()
            throws IOException
    {
        RowGroup other = write(Location.of("memory:///other"), 42);
        for (int group = 0; group < 2; group++) {
            ColumnGroupInstance mine = rowGroup.columnGroups().get(group);
            ColumnGroupInstance others = other.columnGroups().get(group);
            for (boolean data : new boolean[] {true, false}) {
                Location location = data ? rowGroup.dataFile(FOLDER, mine) : rowGroup.metadataFile(FOLDER, mine);
                byte[] bytes = FileBytes.read(fileSystem, location);
                Location otherLocation = data ? other.dataFile(Location.of("memory:///other"), others) : other.metadataFile(Location.of("memory:///other"), others);
                byte[] otherBytes = FileBytes.read(fileSystem, otherLocation);
                assertThat(otherBytes).hasSameSizeAs(bytes);
                FileBytes.overwrite(fileSystem, location, otherBytes);
                assertDamaged(location, "another table's " + location);
                FileBytes.overwrite(fileSystem, location, bytes);
            }
        }
    }

    /**
     * The files of the other column group, of another row group, and of column groups that replace those of this row
     * group, which is what an update in place writes.
     */
    @Test
    void testFilesOfTheSameTable()
            throws IOException
    {
        RowGroup other = write(FOLDER, 42);
        RowGroup later = write(FOLDER, 42);
        RowGroup update = new RowGroup(rowGroup.id(), later.rows(), later.columnGroups(), later.statistics());
        for (ColumnGroupInstance instance : later.columnGroups()) {
            FileBytes.overwrite(fileSystem, update.dataFile(FOLDER, instance), FileBytes.read(fileSystem, later.dataFile(FOLDER, instance)));
            FileBytes.overwrite(fileSystem, update.metadataFile(FOLDER, instance), FileBytes.read(fileSystem, later.metadataFile(FOLDER, instance)));
        }
        readAll(update);
        List<Location> own = files();
        List<Location> all = ImmutableList.<Location>builder()
                .addAll(own)
                .addAll(RollingRowGroupWriter.files(FOLDER, ImmutableList.of(other, update)))
                .build();
        int replaced = 0;
        for (Location location : own) {
            byte[] bytes = FileBytes.read(fileSystem, location);
            for (Location foreign : all) {
                if (!location.equals(foreign) && isData(location) == isData(foreign)) {
                    FileBytes.overwrite(fileSystem, location, FileBytes.read(fileSystem, foreign));
                    assertDamaged(location, "%s in place of %s".formatted(foreign, location));
                    replaced++;
                }
            }
            FileBytes.overwrite(fileSystem, location, bytes);
        }
        assertThat(replaced).isEqualTo(4 * 5);
        readAll(rowGroup);
    }

    @Test
    void testRunOfAnotherTable()
            throws IOException
    {
        // Runs after the first one are read without the header. Their checksums include the id of the file.
        RowGroup other = write(Location.of("memory:///other"), 43);
        Location location = rowGroup.dataFile(FOLDER, rowGroup.columnGroups().getLast());
        byte[] mixed = FileBytes.read(fileSystem, location);
        byte[] others = FileBytes.read(fileSystem, other.dataFile(Location.of("memory:///other"), other.columnGroups().getLast()));
        System.arraycopy(others, FileFrame.HEADER_SIZE, mixed, FileFrame.HEADER_SIZE, Math.min(others.length, mixed.length) - FileFrame.HEADER_SIZE);
        FileBytes.overwrite(fileSystem, location, mixed);
        assertDamaged(location, "rows of another table in " + location);
    }

    @Test
    void testVersions()
            throws IOException
    {
        for (Location location : files()) {
            byte[] bytes = FileBytes.read(fileSystem, location);
            for (int version : new int[] {0, FileKind.DATA.formatVersion() + 1, Integer.MAX_VALUE}) {
                FileBytes.overwrite(fileSystem, location, withVersion(bytes, version));
                Throwable failure = catchThrowable(() -> readAll(rowGroup));
                assertThat(failure).isInstanceOf(AlbisDataException.class).hasMessageContaining(location.toString());
                assertThat(((AlbisDataException) failure).reason()).isEqualTo(version == 0 ? TOO_OLD : TOO_NEW);
            }
            FileBytes.overwrite(fileSystem, location, bytes);
        }
    }

    private static byte[] withVersion(byte[] file, int version)
    {
        byte[] bytes = file.clone();
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(8, version);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, 12);
        checksum.update(bytes, 16, 16);
        buffer.putInt(12, (int) checksum.getValue());
        return bytes;
    }

    private void assertDamaged(Location location, String description)
    {
        Throwable failure = catchThrowable(() -> readAll(rowGroup));
        assertThat(failure).as(description)
                .isInstanceOf(AlbisDataException.class)
                .hasMessageContaining(location.toString());
        assertThat(((AlbisDataException) failure).reason()).as(description).isEqualTo(DAMAGED);
        assertThat(failure).as(description).hasMessageContaining(columnGroup(location).toString());
        // a missing file has no segments
        if (isData(location) && !failure.getMessage().contains("is missing")) {
            assertThat(failure).as(description).hasMessageContaining("column group").hasMessageContaining("segment");
        }
    }

    /**
     * Returns the length of the bytes that checksums cover.
     */
    private static int checkedLength(Location location, byte[] bytes)
    {
        return bytes.length - (isData(location) ? Segment.END_SLACK : 0);
    }

    private static boolean isData(Location location)
    {
        return location.toString().endsWith("/data");
    }

    private UUID columnGroup(Location location)
    {
        return rowGroup.columnGroups().stream()
                .map(ColumnGroupInstance::id)
                .filter(id -> location.toString().contains(id.toString()))
                .findFirst()
                .orElseThrow();
    }

    private ImmutableList<Location> files()
    {
        return ImmutableList.copyOf(RollingRowGroupWriter.files(FOLDER, ImmutableList.of(rowGroup)));
    }

    private void readAll(RowGroup rowGroup)
            throws IOException
    {
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(schema.columns(), TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            long rows = 0;
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int channel = 0; channel < schema.columns().size(); channel++) {
                    assertThat(batch.block(channel).getPositionCount()).isEqualTo(batch.positionCount());
                }
                rows += batch.positionCount();
            }
            assertThat(rows).isEqualTo(rowGroup.rows());
            assertThat(reader.metrics().segments()).isGreaterThan(1);
        }
    }
}
