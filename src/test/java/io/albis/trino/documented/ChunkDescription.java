package io.albis.trino.documented;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.ColumnGroupMetadata.Part;
import io.albis.format.metadata.StoredColumn;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.Compression;
import io.albis.format.run.NodeSegment;
import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding;
import io.albis.format.run.Segment;

import java.util.ArrayList;
import java.util.List;

import static java.util.Locale.ENGLISH;

/**
 * Describes the chunks of a column in the words of docs/format.md.
 */
final class ChunkDescription
{
    private ChunkDescription() {}

    /**
     * Describes the chunks of a column in all segments.
     *
     * @param column index of the column in its column group
     */
    static String describe(ColumnGroupMetadata metadata, int column)
            throws AlbisDataException
    {
        Part part = metadata.part(column, ImmutableList.of()).orElseThrow();
        if (part.column().kind().isPresent()) {
            return describeNodes(metadata, part);
        }
        List<String> segments = new ArrayList<>();
        for (int segment = 0; segment < metadata.segments(); segment++) {
            String bounds = (metadata.runStatistics(column, segment).isEmpty() ? "" : ", bounds by run") + (metadata.valueList(column).isEmpty() ? "" : ", value list");
            segments.add(describe(metadata.chunk(part.node(), segment), metadata.segmentRows()[segment]) + bounds);
        }
        return joinDistinct(segments, "; then ") + describeSegments(metadata);
    }

    private static String describeSegments(ColumnGroupMetadata metadata)
    {
        return metadata.segments() == 1 ? "" : ", segments of " + list(Ints.asList(metadata.segmentRows()).stream().map(ChunkDescription::number).toList()) + " rows";
    }

    private static String describeNodes(ColumnGroupMetadata metadata, Part part)
            throws AlbisDataException
    {
        // for each segment, the number of values of each group
        List<int[]> groups = Ints.asList(metadata.segmentRows()).stream().map(rows -> new int[] {rows}).toList();
        List<String> nodes = new ArrayList<>();
        describeNode(metadata, part.column(), part.node(), groups, nodes);
        return String.join(". ", nodes) + describeSegments(metadata);
    }

    private static void describeNode(ColumnGroupMetadata metadata, StoredColumn column, int node, List<int[]> groups, List<String> nodes)
            throws AlbisDataException
    {
        List<String> chunks = new ArrayList<>();
        List<int[]> childGroups = new ArrayList<>();
        for (int segment = 0; segment < metadata.segments(); segment++) {
            NodeSegment stored = metadata.node(node, segment);
            for (int chunk = 0; chunk < stored.chunks().size(); chunk++) {
                chunks.add(describe(stored.chunks().get(chunk), stored.chunkRows(chunk)));
            }
            childGroups.add(stored.childGroups());
        }
        nodes.add("node %s %s%s".formatted(nodes.size(), joinDistinct(chunks, "; then "), describeGroups(groups)));
        int child = node + 1;
        for (StoredColumn field : column.children()) {
            describeNode(metadata, field, child, childGroups, nodes);
            child += field.nodes();
        }
    }

    /**
     * Lists the numbers of values of the groups of a node, and of their chunks, if it has several in one segment.
     */
    private static String describeGroups(List<int[]> segments)
    {
        List<String> groups = new ArrayList<>();
        boolean several = false;
        for (int[] segment : segments) {
            several |= segment.length > 1;
            for (int values : segment) {
                several |= values > Segment.MAX_ROWS;
                groups.add(describeChunks(values));
            }
        }
        return several ? ", groups of " + list(groups) + " values" : "";
    }

    private static String describeChunks(int values)
    {
        List<String> chunks = new ArrayList<>();
        for (int left = values; left > 0; left -= Segment.MAX_ROWS) {
            chunks.add(number(Math.min(left, Segment.MAX_ROWS)));
        }
        return chunks.isEmpty() ? "0" : String.join(" + ", chunks);
    }

    private static String describe(Chunk chunk, int rows)
    {
        String encoding = "`" + chunk.encoding().getClass().getSimpleName().toLowerCase(ENGLISH) + "`";
        if (chunk.encoding() instanceof Dictionary dictionary) {
            List<String> words = new ArrayList<>();
            words.add(count(dictionary.entries(), dictionary.sorted() ? "sorted entry" : "unsorted entry"));
            addParameters(dictionary.values(), dictionary.entries(), words);
            addCompression(dictionary.stored().compression(), words);
            encoding += " (" + String.join(", ", words) + ")";
        }
        List<String> runs = new ArrayList<>();
        for (int run = 0; run < chunk.runs().size(); run++) {
            runs.add(describe(chunk.runs().get(run), Segment.runRows(rows, run)));
        }
        String description = joinDistinct(runs, "; ");
        return description.isEmpty() ? encoding : encoding + ": " + description;
    }

    private static String describe(Run run, int rows)
    {
        if (run.nulls() == rows && run.length() == 0 && !(run.encoding() instanceof RunEncoding.Ids)) {
            return "only nulls";
        }
        List<String> words = new ArrayList<>();
        addParameters(run.encoding(), rows, words);
        if (run.nulls() > 0) {
            words.add(run.encoding() instanceof RunEncoding.Ids ? "nulls" : "validity");
        }
        addCompression(run.stored().compression(), words);
        return String.join(", ", words);
    }

    private static void addParameters(RunEncoding encoding, int rows, List<String> words)
    {
        switch (encoding) {
            case RunEncoding.Plain _ -> {}
            case RunEncoding.Fixed(int width, _, int outliers) -> {
                words.add("width " + width);
                if (outliers > 0) {
                    words.add(count(outliers, "outlier"));
                }
            }
            case RunEncoding.Bytes bytes -> {
                words.add("lengths of " + count(bytes.lengthWidth(), "byte"));
                int anchors = bytes.anchorsLength(rows) / Integer.BYTES;
                if (anchors > 0) {
                    words.add(count(anchors, "anchor"));
                }
            }
            case RunEncoding.Ids(int width, _) -> words.add("numbers of " + count(width, "byte"));
        }
    }

    private static void addCompression(Compression compression, List<String> words)
    {
        switch (compression) {
            case NONE -> {}
            case LZ4 -> words.add("LZ4");
            case ZSTD -> words.add("Zstandard");
        }
    }

    private static String count(int count, String noun)
    {
        if (count == 1) {
            return "1 " + noun;
        }
        return number(count) + " " + (noun.endsWith("y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s");
    }

    private static String number(int number)
    {
        return String.format(ENGLISH, "%,d", number);
    }

    private static String list(List<String> words)
    {
        int last = words.size() - 1;
        return switch (words.size()) {
            case 1 -> words.getFirst();
            case 2 -> String.join(" and ", words);
            default -> String.join(", ", words.subList(0, last)) + ", and " + words.get(last);
        };
    }

    private static String joinDistinct(List<String> descriptions, String separator)
    {
        ImmutableList.Builder<String> distinct = ImmutableList.builder();
        String previous = "";
        for (String description : descriptions) {
            if (!description.equals(previous)) {
                distinct.add(description);
            }
            previous = description;
        }
        return String.join(separator, distinct.build());
    }
}
