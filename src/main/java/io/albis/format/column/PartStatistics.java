package io.albis.format.column;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Bits;
import io.albis.format.run.ChunkEncoding.Bytes;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkEncoding.Rows;
import io.albis.format.run.NodeSegment;
import io.albis.format.run.Run;
import io.albis.format.statistics.ColumnStatistics;

import java.util.List;
import java.util.Optional;

import static io.albis.format.statistics.ValueOrder.UNORDERED;

/**
 * The statistics of a part of a column to which only rows lead, if the file stores none. Its bounds are unknown. Its
 * numbers of nulls are those of the runs of its only chunk in each segment.
 */
final class PartStatistics
{
    private PartStatistics() {}

    static ColumnStatistics ofSegment(int columnId, NodeSegment segment)
    {
        Chunk chunk = segment.chunks().getFirst();
        long nulls = switch (chunk.encoding()) {
            case Nulls _ -> segment.rows();
            case Constant _ -> 0;
            case Fixed _, Bytes _, Dictionary _, Bits _ -> nulls(chunk);
            case Rows _ -> throw new IllegalArgumentException("a row has no parts");
        };
        return withNulls(columnId, nulls);
    }

    private static long nulls(Chunk chunk)
    {
        long nulls = 0;
        for (Run run : chunk.runs()) {
            nulls += run.nulls();
        }
        return nulls;
    }

    /**
     * Returns the statistics of the runs, or an empty list if all of them have the same values.
     */
    static List<ColumnStatistics> ofRuns(int columnId, NodeSegment segment)
    {
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builder();
        for (Run run : segment.chunks().getFirst().runs()) {
            statistics.add(withNulls(columnId, run.nulls()));
        }
        return statistics.build();
    }

    private static ColumnStatistics withNulls(int columnId, long nulls)
    {
        return new ColumnStatistics(columnId, nulls, UNORDERED, Optional.empty(), Optional.empty());
    }
}
