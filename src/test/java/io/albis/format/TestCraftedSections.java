package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.albis.format.io.FileSection;
import io.albis.format.io.PageChecksum;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkCodec;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding;
import io.albis.format.run.Segment;
import io.albis.format.run.StoredBytes;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.RunBoundsCodec;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Sections and codes that this version does not know are ignored or too new, and damaged ones are damage.
 */
final class TestCraftedSections
        extends BaseCraftedMetadataTest
{
    /**
     * A row group as it was written, before its metadata is changed.
     */
    private record Written(RowGroup rowGroup, ColumnGroupMetadata metadata, List<FileSection> sections)
    {
        ColumnGroupInstance instance()
        {
            return rowGroup.columnGroups().getFirst();
        }

        /**
         * Returns the metadata with other sections.
         */
        byte[] withSections(List<FileSection> sections)
        {
            return MetadataCodec.encode(instance().id(), metadata.layout(), metadata.columns(), metadata.dataBytes(), Ints.asList(metadata.segmentRows()), sections).getBytes();
        }
    }

    private Written write(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout, WriterOptions.DEFAULTS);
        byte[] file = bytes(rowGroup.metadataFile(FOLDER, rowGroup.columnGroups().getFirst()));
        return new Written(rowGroup, metadata(rowGroup, file), sections(file));
    }

    @ParameterizedTest
    @EnumSource
    void testUnknownCodes(AlbisLayout layout)
            throws IOException
    {
        Written written = write(layout);
        byte[] original = bytes(written.rowGroup().metadataFile(FOLDER, written.instance()));
        int storageType = 32 + 8 + 1 + 4 + 4;
        byte[] text = {(byte) 'x'};
        for (int feature = 0; feature < Long.SIZE; feature++) {
            byte[] file = original.clone();
            file[32 + feature / 8] |= (byte) (1 << feature % 8);
            assertTooNew(written, file, "uses feature %s,".formatted(feature));
        }
        assertTooNew(written, with(original, 32 + 8, 2), "layout 2");
        assertTooNew(written, with(original, storageType, 10), "storage type 10");
        List<FileSection> sections = written.sections();
        FileSection chunks = sections.getFirst();
        for (int kind : new int[] {0, 3, 17, 0x7FFF}) {
            assertTooNew(written, written.withSections(with(sections, new FileSection(kind, 0, Slices.wrappedBuffer(text)))), "section of kind %s,".formatted(kind));
        }
        // the first byte of a chunk is its encoding, and the first byte of its runs, after the offset, their
        // compression
        for (int offset : new int[] {0, 1 + Long.BYTES}) {
            byte[] content = chunks.content().getBytes();
            content[offset] = 100;
            List<FileSection> changed = new ArrayList<>(sections);
            changed.set(0, new FileSection(chunks.kind(), chunks.column(), Slices.wrappedBuffer(content)));
            assertTooNew(written, written.withSections(changed), offset == 0 ? "encoding 100" : "compression 100");
        }
    }

    /**
     * The order of the values is only a hint, but the flags of the bounds decide where the next statistics begin.
     */
    @ParameterizedTest
    @EnumSource
    void testUnknownCodesOfStatistics(AlbisLayout layout)
            throws IOException
    {
        Written written = write(layout);
        int expected = count(written.rowGroup());
        List<FileSection> sections = written.sections();
        int index = Iterables.indexOf(sections, section -> section.kind() == 2);
        // the number of segments, the id of the column, and the number of nulls
        int order = 4 + 4 + 8;
        for (int code : new int[] {4, 100, 255}) {
            byte[] unknownOrder = written.withSections(with(sections, index, order, code));
            assertThat(metadata(written.rowGroup(), unknownOrder).statistics(0, 0).order()).isEqualTo(UNORDERED);
            assertThat(count(withMetadata(written, unknownOrder))).isEqualTo(expected).isPositive();
        }
        for (int flags : new int[] {4, 7, 255}) {
            assertTooNew(written, written.withSections(with(sections, index, order + 1, flags)), "unknown flags %s of bounds".formatted(flags));
        }
    }

    /**
     * Returns sections with another byte in one of them.
     */
    private static List<FileSection> with(List<FileSection> sections, int index, int offset, int value)
    {
        List<FileSection> changed = new ArrayList<>(sections);
        FileSection section = sections.get(index);
        changed.set(index, new FileSection(section.kind(), section.column(), Slices.wrappedBuffer(with(section.content().getBytes(), offset, value))));
        return changed;
    }

    @ParameterizedTest
    @EnumSource
    void testSections(AlbisLayout layout)
            throws IOException
    {
        Written written = write(layout);
        List<FileSection> sections = written.sections();
        Slice content = Slices.wrappedBuffer(new byte[] {1, 2, 3});
        // sections that may be ignored, of any column, before and after the others
        for (int kind : new int[] {0x8000, 0x8011, 0x801F, 0xFFFF}) {
            for (int column : new int[] {-1, 0, 3, 1000}) {
                FileSection ignorable = new FileSection(kind, column, content);
                List<FileSection> first = new ArrayList<>(sections);
                first.addFirst(ignorable);
                for (List<FileSection> added : ImmutableList.of(first, with(sections, ignorable))) {
                    assertThat(catchThrowable(() -> readAll(withMetadata(written, written.withSections(added))))).isNull();
                }
            }
        }
        for (int section = 0; section < sections.size(); section++) {
            List<FileSection> without = new ArrayList<>(sections);
            FileSection removed = without.remove(section);
            assertDamaged(withMetadata(written, written.withSections(without)), "without section " + removed);
            assertDamaged(withMetadata(written, written.withSections(with(sections, removed))), "twice section " + removed);
            assertDamaged(withMetadata(written, written.withSections(with(without, new FileSection(removed.kind(), 1000, removed.content())))), "column 1000");
            // the statistics of a column without a predicate are not used
            if (removed.kind() == 2 && removed.column() == COLUMNS.indexOf(RATIO)) {
                continue;
            }
            List<FileSection> longer = new ArrayList<>(sections);
            longer.set(section, new FileSection(removed.kind(), removed.column(), Slices.wrappedBuffer(Bytes.concat(removed.content().getBytes(), new byte[1]))));
            assertDamaged(withMetadata(written, written.withSections(longer)), "a byte after section " + removed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void testLimits(AlbisLayout layout)
            throws IOException
    {
        Written written = write(layout);
        ColumnGroupMetadata metadata = written.metadata();
        List<FileSection> sections = written.sections();
        for (int rows : new int[] {Integer.MIN_VALUE, -1, 0, 65_537, Integer.MAX_VALUE}) {
            Slice file = MetadataCodec.encode(written.instance().id(), layout, metadata.columns(), metadata.dataBytes(), ImmutableList.of(rows), sections);
            assertDamaged(withMetadata(written, file.getBytes()), rows + " rows").hasMessageContaining("a segment has %s rows".formatted(rows));
        }
        Slice noSegments = MetadataCodec.encode(written.instance().id(), layout, metadata.columns(), metadata.dataBytes(), ImmutableList.of(), sections);
        assertDamaged(withMetadata(written, noSegments.getBytes()), "no segments").hasMessageContaining("no segments");
        Slice noColumns = MetadataCodec.encode(written.instance().id(), layout, ImmutableList.of(), metadata.dataBytes(), Ints.asList(metadata.segmentRows()), ImmutableList.of());
        assertDamaged(withMetadata(written, noColumns.getBytes()), "no columns").hasMessageContaining("no columns");
        for (long bytes : new long[] {Long.MIN_VALUE, -1, 0, 95}) {
            Slice file = MetadataCodec.encode(written.instance().id(), layout, metadata.columns(), bytes, Ints.asList(metadata.segmentRows()), sections);
            assertDamaged(withMetadata(written, file.getBytes()), bytes + " bytes").hasMessageContaining("a data file cannot have %s bytes".formatted(bytes));
        }
    }

    @ParameterizedTest
    @EnumSource
    void testRunBounds(AlbisLayout layout)
            throws IOException
    {
        Written written = write(layout);
        for (ColumnStatistics bounds : ImmutableList.of(
                runBounds(0, Optional.of(new byte[3]), Optional.of(longBytes(9))),
                runBounds(0, Optional.of(longBytes(1)), Optional.of(new byte[16])),
                runBounds(0, Optional.of(longBytes(9)), Optional.of(longBytes(1))),
                runBounds(ROWS + 1, Optional.of(longBytes(1)), Optional.of(longBytes(9))))) {
            assertDamaged(withMetadata(written, written.withSections(with(written.sections(), runBounds(1, bounds)))), bounds.toString());
        }
        FileSection tooLong = new FileSection(0x8003, 0, Slices.wrappedBuffer(new byte[] {0, 0}));
        FileSection tooShort = new FileSection(0x8003, 0, Slices.wrappedBuffer(new byte[0]));
        FileSection otherColumn = new FileSection(0x8003, COLUMNS.size(), Slices.wrappedBuffer(new byte[1]));
        for (FileSection section : ImmutableList.of(tooLong, tooShort, otherColumn)) {
            assertDamaged(withMetadata(written, written.withSections(with(written.sections(), section))), section.toString());
        }
        // the bounds are used, so wrong ones hide rows
        FileSection none = runBounds(1, runBounds(0, Optional.of(longBytes(-9)), Optional.of(longBytes(-1))));
        assertThat(count(withMetadata(written, written.withSections(with(written.sections(), none))))).isZero();
        FileSection all = runBounds(1, runBounds(0, Optional.empty(), Optional.empty()));
        assertThat(count(withMetadata(written, written.withSections(with(written.sections(), all))))).isPositive();
    }

    /**
     * A reader can do without the bounds of runs, so it ignores a section of a form that it does not know.
     */
    @ParameterizedTest
    @EnumSource
    void testUnknownRunBounds(AlbisLayout layout)
            throws IOException
    {
        Written written = write(layout);
        int expected = count(written.rowGroup());
        // without the unknown code, these bounds would hide all rows
        byte[] none = runBounds(1, runBounds(0, Optional.of(longBytes(-9)), Optional.of(longBytes(-1)))).content().getBytes();
        // the kind is the first byte, and the flags follow the number of nulls
        int flags = 1 + 2;
        for (byte[] content : ImmutableList.of(new byte[] {2}, new byte[] {(byte) 255, 1, 2, 3}, with(none, 0, 2), with(none, flags, 4), with(none, flags, 7), with(none, flags, 255))) {
            byte[] file = written.withSections(with(written.sections(), new FileSection(0x8003, 0, Slices.wrappedBuffer(content))));
            assertThat(count(withMetadata(written, file))).as(Arrays.toString(content)).isEqualTo(expected).isPositive();
            assertThat(metadata(written.rowGroup(), file).runStatistics(0, 0)).isEmpty();
        }
    }

    /**
     * A damaged description of an index names its file and the column.
     */
    @ParameterizedTest
    @EnumSource
    void testIndexes(AlbisLayout layout)
            throws IOException
    {
        Written written = write(layout);
        Slice fourRanges = Slices.wrappedBuffer(new byte[] {4, 0, 0, 0});
        for (Slice content : ImmutableList.of(fourRanges, Slices.EMPTY_SLICE)) {
            byte[] file = written.withSections(with(written.sections(), new FileSection(0x8010, 0, content)));
            assertDamaged(withMetadata(written, file), content.toString())
                    .hasMessageContaining(written.rowGroup().metadataFile(FOLDER, written.instance()).toString())
                    .hasMessageContaining("index of column number");
        }
    }

    private static ColumnStatistics runBounds(int nulls, Optional<byte[]> min, Optional<byte[]> max)
    {
        return new ColumnStatistics(1, nulls, UNORDERED, min, max);
    }

    private static FileSection runBounds(int segments, ColumnStatistics run)
    {
        DynamicSliceOutput content = new DynamicSliceOutput(100);
        for (int segment = 0; segment < segments; segment++) {
            RunBoundsCodec.write(ImmutableList.of(run), content);
        }
        return new FileSection(0x8003, 0, content.slice());
    }

    private int count(RowGroup rowGroup)
            throws IOException
    {
        int rows = 0;
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(COLUMNS, PREDICATE), ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                rows += batch.positionCount();
            }
        }
        return rows;
    }

    /**
     * The offset of a chunk without bytes has no meaning, so a writer may store anything there.
     */
    @Test
    void testOffsetsOfChunksWithoutBytes()
            throws IOException
    {
        Written written = write(AlbisLayout.BLOCK);
        List<FileSection> sections = written.sections();
        assertThat(sections.getFirst().column()).isEqualTo(0);
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(NUMBER), TupleDomain.all());
        StoredBytes none = StoredBytes.plain(0, new int[0]);
        for (Chunk chunk : ImmutableList.of(
                new Chunk(new ChunkEncoding.Nulls(), 32, ImmutableList.of()),
                new Chunk(new ChunkEncoding.Constant(longBytes(7)), 32, ImmutableList.of()),
                new Chunk(new ChunkEncoding.Fixed(), 32, ImmutableList.of(new Run(none, 0, new RunEncoding.Fixed(0, 7, 0)))))) {
            DynamicSliceOutput content = new DynamicSliceOutput(100);
            ChunkCodec.write(chunk, content);
            for (long offset : new long[] {0, 1, 33, -1, -8, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE & -8, written.metadata().dataBytes() - 64, written.metadata().dataBytes(), written.metadata().dataBytes() + 8}) {
                Slice changed = content.slice().copy();
                changed.setLong(1, offset);
                List<FileSection> crafted = new ArrayList<>(sections);
                crafted.set(0, new FileSection(1, 0, changed));
                RowGroup read = withMetadata(written, written.withSections(crafted));
                assertThat(catchThrowable(() -> readAll(read, scan, () -> {}))).as("%s at %s", chunk, offset).isNull();
            }
        }
        // the offset of a chunk with bytes is checked
        for (long offset : new long[] {0, 8, 33, -8, Long.MIN_VALUE, written.metadata().dataBytes() - 64}) {
            Slice changed = sections.getFirst().content().copy();
            changed.setLong(1, offset);
            List<FileSection> crafted = new ArrayList<>(sections);
            crafted.set(0, new FileSection(1, 0, changed));
            assertDamaged(withMetadata(written, written.withSections(crafted)), scan, "offset " + offset);
        }
    }

    /**
     * A file of a later version has chunks that this version does not know, between the segments and the zeros at the
     * end of the data file.
     */
    @ParameterizedTest
    @EnumSource
    void testAuxiliaryChunks(AlbisLayout layout)
            throws IOException
    {
        Written written = write(layout);
        RowGroup rowGroup = written.rowGroup();
        ColumnGroupInstance instance = written.instance();
        Location dataFile = rowGroup.dataFile(FOLDER, instance);
        byte[] data = bytes(dataFile);
        int offset = data.length - Segment.END_SLACK;
        byte[] auxiliary = new byte[5000];
        new Random(1).nextBytes(auxiliary);
        byte[] longer = Bytes.concat(Arrays.copyOf(data, offset), auxiliary, new byte[Segment.END_SLACK]);
        overwrite(dataFile, longer);
        DynamicSliceOutput content = new DynamicSliceOutput(100);
        content.writeInt(1);
        content.writeLong(offset);
        content.writeInt(auxiliary.length);
        PageChecksum checksum = new PageChecksum(instance.id());
        content.writeInt(checksum.of(offset, auxiliary, 0, PageChecksum.PAGE_SIZE));
        content.writeInt(checksum.of(offset + PageChecksum.PAGE_SIZE, auxiliary, PageChecksum.PAGE_SIZE, auxiliary.length - PageChecksum.PAGE_SIZE));
        content.writeBytes(new byte[] {'i', 'n', 'd', 'e', 'x'});

        int expected = count(rowGroup);
        List<FileSection> sections = with(written.sections(), new FileSection(0x8011, 0, content.slice()));
        byte[] file = MetadataCodec.encode(instance.id(), layout, written.metadata().columns(), longer.length, Ints.asList(written.metadata().segmentRows()), sections).getBytes();
        overwrite(rowGroup.metadataFile(FOLDER, instance), file);
        ColumnGroupInstance changed = new ColumnGroupInstance(instance.id(), instance.columnIds(), longer.length, file.length);
        assertThat(count(new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(changed), rowGroup.statistics()))).isEqualTo(expected).isPositive();
    }

    private static List<FileSection> with(List<FileSection> sections, FileSection added)
    {
        return ImmutableList.<FileSection>builder().addAll(sections).add(added).build();
    }

    private static byte[] with(byte[] bytes, int index, int value)
    {
        byte[] changed = bytes.clone();
        changed[index] = (byte) value;
        return changed;
    }

    private static ColumnGroupMetadata metadata(RowGroup rowGroup, byte[] file)
            throws IOException
    {
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        return MetadataCodec.decode(rowGroup.metadataFile(FOLDER, instance), Optional.of(instance.id()), Slices.wrappedBuffer(file));
    }

    /**
     * Returns the sections of a file with the columns and one segment of this test.
     */
    private static List<FileSection> sections(byte[] file)
    {
        Slice body = Slices.wrappedBuffer(file, 32, file.length - 36);
        SliceInput input = body.getInput();
        input.skip(8 + 1 + 4);
        for (int column = 0; column < COLUMNS.size(); column++) {
            input.skip(5);
            input.skip(input.readUnsignedShort());
        }
        input.skip(8);
        input.skip(4L * input.readInt());
        return FileSection.read(input);
    }

    private RowGroup withMetadata(Written written, byte[] file)
            throws IOException
    {
        RowGroup rowGroup = written.rowGroup();
        ColumnGroupInstance instance = written.instance();
        overwrite(rowGroup.metadataFile(FOLDER, instance), withChecksum(file));
        return new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(new ColumnGroupInstance(instance.id(), instance.columnIds(), instance.dataBytes(), file.length)), rowGroup.statistics());
    }

    private void assertTooNew(Written written, byte[] file, String message)
            throws IOException
    {
        assertFailure(TOO_NEW, withMetadata(written, file), RowGroupScan.of(COLUMNS, PREDICATE), message, () -> {})
                .hasMessageContaining(message)
                .hasMessageContaining("Upgrade the Albis plugin");
    }
}
