package io.albis.format.reader;

import io.albis.format.block.NarrowValues;
import io.albis.format.block.RunBytes;
import io.albis.format.block.RunSource;
import io.albis.format.metadata.Chunk;
import io.albis.format.metadata.ChunkEncoding.Dictionary;
import io.albis.format.metadata.Run;
import io.albis.format.metadata.Segment;

import java.io.IOException;
import java.util.Arrays;

import static io.albis.format.AlbisDataException.damaged;

/**
 * Reads the runs of one chunk after the other. Runs that stand next to each other and are wanted are read at once, up to
 * a size that stays in the cache of the processor until they are decoded.
 */
final class ChunkReader
        implements RunSource
{
    private static final int MAX_READ = 1 << 18;
    private static final int ALL_RUNS = (1 << Segment.MAX_RUNS) - 1;

    private final DataFile file;

    private Chunk chunk;
    private int segment;
    private int segmentRows;
    private int wantedRuns = ALL_RUNS;
    private int maxRead = MAX_READ;

    // holds the runs from firstRun to before endRun
    private byte[] buffer = new byte[0];
    private int bufferBegin;
    private int firstRun;
    private int endRun;
    private int checkedRuns;

    ChunkReader(DataFile file)
    {
        this.file = file;
    }

    void start(Chunk chunk, int segment, int segmentRows)
    {
        this.chunk = chunk;
        this.segment = segment;
        this.segmentRows = segmentRows;
        wantedRuns = ALL_RUNS;
        maxRead = MAX_READ;
        firstRun = 0;
        endRun = 0;
    }

    /**
     * @param runs a bit for each run that may still be asked for
     */
    void want(int runs)
    {
        wantedRuns = runs;
    }

    /**
     * From now on reads all runs of the chunk that are wanted at once, so that each is read only once, in whatever order
     * and how often they are asked for.
     */
    void hold()
    {
        maxRead = Integer.MAX_VALUE;
    }

    /**
     * Reads the whole chunk at once.
     */
    void readAll()
            throws IOException
    {
        if (!chunk.runs().isEmpty()) {
            hold();
            load(0);
        }
    }

    @Override
    public RunBytes run(int index, boolean keep)
            throws IOException
    {
        Run run = chunk.runs().get(index);
        boolean loaded = index >= firstRun && index < endRun;
        if (keep && !loaded) {
            return readAlone(index, run);
        }
        if (!loaded) {
            load(index);
        }
        int begin = bufferBegin;
        long offset = chunk.runOffset(firstRun);
        for (int i = firstRun; i < index; i++) {
            begin += chunk.runs().get(i).paddedLength();
            offset += chunk.runs().get(i).paddedLength();
        }
        if ((checkedRuns & (1 << index)) == 0) {
            check(buffer, begin, run, index, offset);
            checkedRuns |= 1 << index;
        }
        if (keep) {
            byte[] copy = Arrays.copyOfRange(buffer, begin, begin + run.length() + NarrowValues.SLACK);
            return toBytes(copy, 0, index, run);
        }
        return toBytes(buffer, begin, index, run);
    }

    private RunBytes readAlone(int index, Run run)
            throws IOException
    {
        long offset = chunk.runOffset(index);
        int headroom = file.headroom(offset);
        byte[] bytes = new byte[arraySize(headroom + (long) run.paddedLength())];
        file.read(offset, bytes, headroom, run.paddedLength(), segment);
        check(bytes, headroom, run, index, offset);
        return toBytes(bytes, headroom, index, run);
    }

    private void load(int index)
            throws IOException
    {
        long offset = chunk.runOffset(index);
        int end = index + 1;
        long length = chunk.runs().get(index).paddedLength();
        while (end < chunk.runs().size() && (wantedRuns & (1 << end)) != 0 && length + chunk.runs().get(end).paddedLength() <= maxRead) {
            length += chunk.runs().get(end).paddedLength();
            end++;
        }
        int headroom = file.headroom(offset);
        int size = arraySize(headroom + length);
        endRun = 0;
        if (buffer.length < size) {
            buffer = new byte[size];
        }
        file.read(offset, buffer, headroom, (int) length, segment);
        bufferBegin = headroom;
        firstRun = index;
        endRun = end;
        checkedRuns = 0;
    }

    private static int arraySize(long length)
            throws IOException
    {
        if (length > Integer.MAX_VALUE - 2 * NarrowValues.SLACK) {
            throw damaged("Damaged Albis file: %s bytes stand together", length);
        }
        return (int) length + NarrowValues.SLACK;
    }

    private void check(byte[] bytes, int begin, Run run, int index, long offset)
            throws IOException
    {
        file.check(bytes, begin, run.paddedLength(), run.checksum(), offset, segment, "run " + index);
    }

    private RunBytes toBytes(byte[] bytes, int begin, int index, Run run)
    {
        return new RunBytes(bytes, begin, run.length(), Segment.runRows(segmentRows, index), run.nulls());
    }

    @Override
    public RunBytes dictionary()
            throws IOException
    {
        Dictionary dictionary = (Dictionary) chunk.encoding();
        long offset = chunk.offset();
        int headroom = file.headroom(offset);
        int length = chunk.dictionaryLength();
        byte[] bytes = new byte[arraySize(headroom + (long) length)];
        file.read(offset, bytes, headroom, length, segment);
        file.check(bytes, headroom, length, dictionary.checksum(), offset, segment, "dictionary");
        return new RunBytes(bytes, headroom, dictionary.length(), dictionary.entries(), 0);
    }

    long retainedSize()
    {
        return buffer.length;
    }
}
