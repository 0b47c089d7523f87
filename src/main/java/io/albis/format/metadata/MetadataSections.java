package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;
import io.albis.format.io.FileSection;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkCodec;
import io.albis.format.run.NodeChunks;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.StatisticsCodec;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The sections of a {@code metadata} file that this version of Albis knows; see {@code docs/format.md}.
 *
 * @param chunks for each node, the encoded chunks of all segments
 * @param elements for each node, the encoded numbers of elements of all segments; empty for other nodes than arrays and
 *         maps
 * @param statistics for each column, the encoded statistics of all segments
 * @param runBounds for each column, the encoded bounds of the runs of all segments, if they are stored
 * @param valueLists for each column, the encoded description of its index, if it has one
 * @param fieldStatistics for each node, the encoded statistics of all segments, if it is a field of rows that has any
 * @param fieldRunBounds for each node, the same of all runs
 */
record MetadataSections(
        List<Slice> chunks,
        List<Slice> elements,
        List<Slice> statistics,
        List<Optional<Slice>> runBounds,
        List<Optional<Slice>> valueLists,
        List<Optional<Slice>> fieldStatistics,
        List<Optional<Slice>> fieldRunBounds)
{
    private static final int CHUNKS = 1;
    private static final int STATISTICS = 2;
    static final int RUN_BOUNDS = FileSection.IGNORABLE | 3;
    private static final int ELEMENTS = 4;
    static final int VALUE_LIST = FileSection.IGNORABLE | 0x10;

    static final Set<Integer> KINDS = ImmutableSet.of(CHUNKS, STATISTICS, RUN_BOUNDS, ELEMENTS, VALUE_LIST);

    MetadataSections
    {
        chunks = ImmutableList.copyOf(chunks);
        elements = ImmutableList.copyOf(elements);
        statistics = ImmutableList.copyOf(statistics);
        runBounds = ImmutableList.copyOf(runBounds);
        valueLists = ImmutableList.copyOf(valueLists);
        fieldStatistics = ImmutableList.copyOf(fieldStatistics);
        fieldRunBounds = ImmutableList.copyOf(fieldRunBounds);
    }

    /**
     * Encodes the chunks of all segments.
     *
     * @param column number of the node, or {@link FileSection#NO_COLUMN} for the rows of the row layout
     */
    static FileSection chunks(int column, List<Chunk> chunks)
    {
        SliceOutput content = new DynamicSliceOutput(256);
        chunks.forEach(chunk -> ChunkCodec.write(chunk, content));
        return new FileSection(CHUNKS, column, content.slice());
    }

    /**
     * Encodes the numbers of elements of an array or a map in the runs of all segments.
     */
    static FileSection elements(int node, List<NodeChunks> segments)
    {
        SliceOutput content = new DynamicSliceOutput(64);
        for (NodeChunks segment : segments) {
            for (int count : segment.elements()) {
                content.writeInt(count);
            }
        }
        return new FileSection(ELEMENTS, node, content.slice());
    }

    /**
     * Encodes the statistics of all segments.
     */
    static FileSection statistics(int node, List<ColumnStatistics> statistics)
    {
        SliceOutput content = new DynamicSliceOutput(256);
        StatisticsCodec.write(statistics, content);
        return new FileSection(STATISTICS, node, content.slice());
    }

    /**
     * Finds the section of each kind and column.
     *
     * @param sections sections of the {@link #KINDS} that this reader knows
     * @throws IllegalArgumentException if a section is missing, or a column has two of them
     */
    static MetadataSections find(ColumnNodes nodes, List<FileSection> sections)
    {
        Slice[] chunks = new Slice[nodes.count()];
        Slice[] elements = new Slice[nodes.count()];
        Slice[] statistics = new Slice[nodes.columns()];
        Slice[] runBounds = new Slice[nodes.columns()];
        Slice[] valueLists = new Slice[nodes.columns()];
        Slice[] fieldStatistics = new Slice[nodes.count()];
        Slice[] fieldRunBounds = new Slice[nodes.count()];
        for (FileSection section : sections) {
            switch (section.kind()) {
                case CHUNKS -> set(chunks, nodes.nodeOfChunks(section.column()), section);
                case STATISTICS -> set(nodes, statistics, fieldStatistics, section);
                case RUN_BOUNDS -> set(nodes, runBounds, fieldRunBounds, section);
                case VALUE_LIST -> nodes.column(section.column()).ifPresent(column -> set(valueLists, column, section));
                case ELEMENTS -> set(elements, section.column(), section);
                default -> throw new IllegalArgumentException("unknown kind of section: %s".formatted(section.kind()));
            }
        }
        for (int node = 0; node < elements.length; node++) {
            if (!nodes.isRepeated(node)) {
                checkArgument(elements[node] == null, "node %s has elements, but is neither an array nor a map", node);
                elements[node] = Slices.EMPTY_SLICE;
            }
        }
        return new MetadataSections(required(chunks, "chunks"), required(elements, "numbers of elements"), required(statistics, "statistics"), optional(runBounds), optional(valueLists), optional(fieldStatistics), optional(fieldRunBounds));
    }

    private static void set(ColumnNodes nodes, Slice[] ofColumns, Slice[] ofFields, FileSection section)
    {
        OptionalInt column = nodes.column(section.column());
        if (column.isPresent()) {
            set(ofColumns, column.getAsInt(), section);
        }
        else {
            set(ofFields, nodes.nodeOfField(section.column()), section);
        }
    }

    private static void set(Slice[] contents, int index, FileSection section)
    {
        checkArgument(index >= 0 && index < contents.length, "a section of kind %s has the invalid column %s", section.kind(), section.column());
        checkArgument(contents[index] == null, "column %s has two sections of kind %s", section.column(), section.kind());
        contents[index] = section.content();
    }

    private static List<Slice> required(Slice[] contents, String name)
    {
        for (int index = 0; index < contents.length; index++) {
            checkArgument(contents[index] != null, "the section with the %s of column %s is missing", name, index);
        }
        return ImmutableList.copyOf(contents);
    }

    private static List<Optional<Slice>> optional(Slice[] contents)
    {
        return Arrays.stream(contents)
                .map(Optional::ofNullable)
                .collect(toImmutableList());
    }
}
