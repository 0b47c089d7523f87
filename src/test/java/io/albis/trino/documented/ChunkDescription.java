package io.albis.trino.documented;

import com.google.common.collect.ImmutableList;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.ColumnGroupMetadata.Part;
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
            String bounds = metadata.runStatistics(column, segment).isEmpty() ? "" : ", bounds by run";
            segments.add(describe(metadata.chunk(part.node(), segment), metadata.segmentRows()[segment]) + bounds);
        }
        return joinDistinct(segments, "; then ");
    }

    private static String describeNodes(ColumnGroupMetadata metadata, Part part)
            throws AlbisDataException
    {
        ImmutableList.Builder<String> nodes = ImmutableList.builder();
        for (int node = 0; node < part.column().nodes(); node++) {
            List<String> chunks = new ArrayList<>();
            for (int segment = 0; segment < metadata.segments(); segment++) {
                NodeSegment stored = metadata.node(part.node() + node, segment);
                for (int chunk = 0; chunk < stored.chunks().size(); chunk++) {
                    chunks.add(describe(stored.chunks().get(chunk), stored.chunkRows(chunk)));
                }
            }
            nodes.add("node %s %s".formatted(node, joinDistinct(chunks, "; then ")));
        }
        return String.join(". ", nodes.build());
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
        return String.format(ENGLISH, "%,d ", count) + (noun.endsWith("y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s");
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
