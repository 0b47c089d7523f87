package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.sun.management.ThreadMXBean;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.filesystem.FileBytes;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Chunk;
import io.albis.format.run.Compression;
import io.albis.format.run.Run;
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
import io.trino.spi.type.TypeUtils;
import org.junit.jupiter.params.provider.Arguments;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes and reads compressed row groups.
 */
abstract class BaseCompressionTest
{
    static final Location FOLDER = Location.of("memory:///table");
    // three runs
    private static final int ROWS = 2 * Run.MAX_ROWS + 1000;
    static final AlbisColumn NUMBER = AlbisColumn.make(1, "number", BIGINT);
    static final AlbisColumn TEXT = AlbisColumn.make(2, "text", VARCHAR);
    private static final AlbisColumn WORD = AlbisColumn.make(3, "word", VARCHAR);
    static final AlbisColumn FLAG = AlbisColumn.make(4, "flag", BOOLEAN);
    static final AlbisColumn RANDOM = AlbisColumn.make(5, "random", BIGINT);
    static final List<AlbisColumn> COLUMNS = ImmutableList.of(NUMBER, TEXT, WORD, FLAG, RANDOM);
    static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    final AlbisLayout layout;
    final Compression compression;
    final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    BaseCompressionTest(AlbisLayout layout, Compression compression)
    {
        this.layout = layout;
        this.compression = compression;
    }

    static List<Arguments> parameters()
    {
        return Arrays.stream(AlbisLayout.values())
                .flatMap(layout -> ImmutableList.of(Compression.LZ4, Compression.ZSTD).stream().map(compression -> Arguments.of(layout, compression)))
                .toList();
    }

    Page page()
    {
        Random random = new Random(5);
        BlockBuilder[] builders = COLUMNS.stream()
                .map(column -> column.type().createBlockBuilder(null, ROWS))
                .toArray(BlockBuilder[]::new);
        for (int row = 0; row < ROWS; row++) {
            BIGINT.writeLong(builders[0], row);
            VARCHAR.writeSlice(builders[1], text(row));
            VARCHAR.writeSlice(builders[2], Slices.utf8Slice("one of three hundred words: " + random.nextInt(300)));
            BOOLEAN.writeBoolean(builders[3], true);
            BIGINT.writeLong(builders[4], random.nextLong());
        }
        return new Page(Arrays.stream(builders).map(BlockBuilder::build).toArray(Block[]::new));
    }

    static Slice text(int row)
    {
        return Slices.utf8Slice("the text of row %s says nothing".formatted(row));
    }

    RowGroup write(Page page, Compression compression)
            throws IOException
    {
        WriterOptions options = WriterOptions.DEFAULTS.withSegmentBytes(1 << 24).withCompression(compression);
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, COLUMNS)).rowGroupSchema(), options);
        writer.append(page);
        return writer.finish().getFirst();
    }

    ColumnGroupMetadata metadata(RowGroup rowGroup)
            throws IOException
    {
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        Location location = rowGroup.metadataFile(FOLDER, instance);
        return MetadataCodec.decode(location, Optional.of(instance.id()), Slices.wrappedBuffer(bytes(location)));
    }

    List<Chunk> chunks(RowGroup rowGroup)
            throws IOException
    {
        ColumnGroupMetadata metadata = metadata(rowGroup);
        assertThat(metadata.segments()).isEqualTo(1);
        ImmutableList.Builder<Chunk> chunks = ImmutableList.builder();
        for (int column = 0; column < COLUMNS.size(); column++) {
            chunks.add(metadata.chunk(metadata.part(column, ImmutableList.of()).orElseThrow().node(), 0));
        }
        return chunks.build();
    }

    List<List<Object>> read(RowGroup rowGroup, TupleDomain<AlbisColumn> predicate)
            throws IOException
    {
        List<List<Object>> rows = new ArrayList<>();
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(COLUMNS, predicate), ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                Block[] blocks = new Block[COLUMNS.size()];
                for (int channel = 0; channel < blocks.length; channel++) {
                    blocks[channel] = batch.block(channel);
                }
                rows.addAll(rows(new Page(batch.positionCount(), blocks)));
            }
        }
        return rows;
    }

    static List<List<Object>> rows(Page page)
    {
        List<List<Object>> rows = new ArrayList<>();
        for (int position = 0; position < page.getPositionCount(); position++) {
            List<Object> row = new ArrayList<>();
            for (int channel = 0; channel < COLUMNS.size(); channel++) {
                row.add(TypeUtils.readNativeValue(COLUMNS.get(channel).type(), page.getBlock(channel), position));
            }
            rows.add(row);
        }
        return rows;
    }

    byte[] bytes(Location location)
            throws IOException
    {
        Location original = original(location);
        return FileBytes.read(fileSystem, fileSystem.newInputFile(original).exists() ? original : location);
    }

    static Location original(Location location)
    {
        return Location.of(location + ".original");
    }
}
