package io.albis.format.scan;

import io.albis.format.io.AlbisDataException;
import io.albis.format.io.ReadBuffers;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.NarrowValues;
import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunSource;
import io.albis.format.run.Segment;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Brings the runs of one chunk after the other into memory: out of a read that was planned for them, or else by its own request
 * for those that are wanted and stand next to each other. What is in memory stays there until nobody wants it any more, so
 * that no byte is read twice.
 */
final class ChunkReader
        implements RunSource
{
    static final int ALL_RUNS = (1 << Segment.MAX_RUNS) - 1;
    // stands before run 0
    private static final int DICTIONARY = -1;
    private static final int MAX_LENGTH = Integer.MAX_VALUE - 2 * NarrowValues.SLACK;
    private static final byte[] NO_BYTES = new byte[NarrowValues.SLACK];

    private final ColumnGroupMetadata metadata;
    private final int column;
    private final DataFile file;
    private final StorageAccess access;
    private final ReadBuffers buffers;

    @Nullable
    private Chunk chunk;
    private int segment;
    private int segmentRows;
    // where each run begins, and the last one ends
    private final long[] offsets = new long[Segment.MAX_RUNS + 1];
    private int wantedRuns;
    private boolean dictionaryWanted;
    private final List<Window> windows = new ArrayList<>(1);

    /**
     * Bytes of the file that are in memory, and which runs of the chunk they were found to be right for. What is read a second
     * time is checked a second time.
     */
    private static final class Window
    {
        private final byte[] bytes;
        // where the first byte stands in the file
        private final long begin;
        private final long end;
        // whether the array is one of this reader's, and not that of a planned read
        private final boolean owned;
        private int checkedRuns;

        private Window(byte[] bytes, long begin, long end, boolean owned)
        {
            this.bytes = bytes;
            this.begin = begin;
            this.end = end;
            this.owned = owned;
        }

        boolean holds(long from, long to)
        {
            return begin <= from && to <= end;
        }

        int index(long offset)
        {
            return (int) (offset - begin);
        }
    }

    /**
     * @param column index in the column group
     */
    ChunkReader(ColumnGroupMetadata metadata, int column, DataFile file, StorageAccess access, ReadBuffers buffers)
    {
        this.metadata = metadata;
        this.column = column;
        this.file = file;
        this.access = access;
        this.buffers = buffers;
    }

    void start(int segment)
            throws AlbisDataException
    {
        release();
        this.segment = segment;
        segmentRows = metadata.segmentRows()[segment];
        chunk = metadata.chunk(column, segment);
        findOffsets(chunk, offsets);
        wantedRuns = ALL_RUNS;
        dictionaryWanted = chunk.dictionaryLength() > 0;
    }

    private static void findOffsets(Chunk chunk, long[] offsets)
    {
        offsets[0] = chunk.offset() + chunk.dictionaryLength();
        for (int run = 0; run < chunk.runs().size(); run++) {
            offsets[run + 1] = offsets[run] + chunk.runs().get(run).paddedLength();
        }
    }

    Chunk chunk()
    {
        return chunk;
    }

    /**
     * Bytes of a run, with those of the dictionary if it is the first.
     */
    long length(int run)
    {
        // there is none of a constant
        long length = run < chunk.runs().size() ? chunk.runs().get(run).length() : 0;
        return run == 0 ? length + chunk.dictionaryLength() : length;
    }

    /**
     * @param runs a bit for each run that may still be asked for
     */
    void want(int runs)
    {
        wantedRuns = runs;
        windows.removeIf(this::releaseIfPassed);
    }

    /**
     * Says that no run before this one will be asked for any more.
     */
    void pass(int run)
    {
        int passed = (1 << run) - 1;
        if ((wantedRuns & passed) != 0) {
            want(wantedRuns & ~passed);
        }
    }

    private boolean releaseIfPassed(Window window)
    {
        if (dictionaryWanted && window.holds(chunk.offset(), offsets[0])) {
            return false;
        }
        for (int run = 0; run < chunk.runs().size(); run++) {
            if (isWanted(run) && window.holds(offsets[run], offsets[run + 1])) {
                return false;
            }
        }
        release(window);
        return true;
    }

    private void release()
    {
        windows.forEach(this::release);
        windows.clear();
    }

    private void release(Window window)
    {
        if (window.owned) {
            buffers.giveBack(window.bytes);
        }
    }

    private boolean isWanted(int run)
    {
        // a run of nulls takes no bytes
        return (wantedRuns & (1 << run)) != 0 && offsets[run] < offsets[run + 1];
    }

    /**
     * Adds what has to be read for some runs of a segment, and is neither in memory nor planned.
     */
    void addMissing(int segment, int runs, List<FileRange> ranges)
            throws AlbisDataException
    {
        boolean started = chunk != null && this.segment == segment;
        Chunk wanted = metadata.chunk(column, segment);
        if (started ? dictionaryWanted : wanted.dictionaryLength() > 0) {
            addMissing(segment, started, wanted.offset(), wanted.offset() + wanted.dictionaryLength(), ranges);
        }
        long begin = wanted.offset() + wanted.dictionaryLength();
        for (int run = 0; run < wanted.runs().size(); run++) {
            long end = begin + wanted.runs().get(run).paddedLength();
            if ((runs & (1 << run)) != 0 && begin < end) {
                addMissing(segment, started, begin, end, ranges);
            }
            begin = end;
        }
    }

    private void addMissing(int segment, boolean started, long begin, long end, List<FileRange> ranges)
    {
        if ((started && isInMemory(begin, end)) || file.findPlanned(begin, end) != null) {
            return;
        }
        ranges.add(new FileRange(file, segment, column, begin, end));
    }

    /**
     * Whether a part of a range is in memory.
     */
    private boolean isInMemory(long begin, long end)
    {
        for (Window window : windows) {
            if (window.begin < end && begin < window.end) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads all that is wanted of the chunk.
     */
    void readAll()
            throws IOException
    {
        for (int run = 0; run < chunk.runs().size(); run++) {
            if (isWanted(run) && find(offsets[run], offsets[run + 1]) == null) {
                load(run, MAX_LENGTH);
            }
        }
    }

    @Override
    public RunBytes run(int index, boolean keep)
            throws IOException
    {
        Run run = chunk.runs().get(index);
        long begin = offsets[index];
        long end = offsets[index + 1];
        if (begin == end) {
            return check(new Window(NO_BYTES, begin, end, false), index, run);
        }
        Window window = find(begin, end);
        if (window == null && keep && isLarge(end - begin, access.maxRequest())) {
            return check(read(begin, end, new byte[arraySize(begin, end)], false), index, run);
        }
        if (window == null) {
            window = load(index, access.maxRequest());
        }
        RunBytes bytes = check(window, index, run);
        return keep ? copy(bytes) : bytes;
    }

    private RunBytes check(Window window, int index, Run run)
            throws AlbisDataException
    {
        int offset = window.index(offsets[index]);
        if ((window.checkedRuns & (1 << index)) == 0) {
            file.check(window.bytes, offset, run.paddedLength(), run.checksum(), offsets[index], segment, "run " + index);
            window.checkedRuns |= 1 << index;
        }
        return new RunBytes(window.bytes, offset, run.length(), Segment.runRows(segmentRows, index), run.nulls());
    }

    private static RunBytes copy(RunBytes run)
    {
        byte[] copy = Arrays.copyOfRange(run.bytes(), run.offset(), run.offset() + run.length() + NarrowValues.SLACK);
        return new RunBytes(copy, 0, run.length(), run.rows(), run.nulls());
    }

    @Override
    public RunBytes dictionary()
            throws IOException
    {
        Dictionary dictionary = (Dictionary) chunk.encoding();
        long begin = chunk.offset();
        long end = offsets[0];
        Window window = find(begin, end);
        boolean alone = window == null && isLarge(end - begin, access.maxRequest());
        if (alone) {
            window = read(begin, end, new byte[arraySize(begin, end)], false);
        }
        else if (window == null) {
            window = load(DICTIONARY, access.maxRequest());
        }
        file.check(window.bytes, window.index(begin), (int) (end - begin), dictionary.checksum(), begin, segment, "dictionary");
        dictionaryWanted = false;
        RunBytes bytes = new RunBytes(window.bytes, window.index(begin), dictionary.length(), dictionary.entries(), 0);
        return alone ? bytes : copy(bytes);
    }

    /**
     * Bytes that are in memory, or are as soon as a planned read is done; null if they are not.
     */
    @Nullable
    private Window find(long begin, long end)
            throws IOException
    {
        for (Window window : windows) {
            if (window.holds(begin, end)) {
                return window;
            }
        }
        PlannedRead planned = file.findPlanned(begin, end);
        if (planned == null || planned.begin() > begin || planned.end() < end) {
            return null;
        }
        if (!planned.await(buffers)) {
            file.forget(planned);
            return null;
        }
        file.checkHeader(planned.begin(), planned.bytes(), segment);
        Window window = new Window(planned.bytes(), planned.begin(), planned.end(), false);
        windows.add(window);
        return window;
    }

    /**
     * Reads a run, or the dictionary, and with it what is wanted near it. What is large is read alone, so that the processor
     * still has it in its cache when it is decoded.
     */
    private Window load(int first, int maxLength)
            throws IOException
    {
        long begin = first == DICTIONARY ? chunk.offset() : offsets[first];
        long end = offsets[first + 1];
        if (!isLarge(end - begin, maxLength)) {
            if (dictionaryWanted && begin - offsets[0] <= access.maxGap() && end - chunk.offset() <= maxLength && !isHere(chunk.offset(), begin)) {
                begin = chunk.offset();
            }
            for (int next = first + 1; next < chunk.runs().size(); next++) {
                if (!isWanted(next)) {
                    continue;
                }
                if (offsets[next] - end > access.maxGap() || offsets[next + 1] - begin > maxLength || isHere(end, offsets[next + 1])) {
                    break;
                }
                end = offsets[next + 1];
            }
        }
        byte[] buffer = buffers.take(arraySize(begin, end));
        Window window = read(begin, end, buffer, true);
        windows.add(window);
        return window;
    }

    private boolean isHere(long begin, long end)
    {
        return isInMemory(begin, end) || file.findPlanned(begin, end) != null;
    }

    private static boolean isLarge(long length, int maxLength)
    {
        return length >= maxLength / 2;
    }

    private Window read(long begin, long end, byte[] buffer, boolean owned)
            throws IOException
    {
        long from = file.readBegin(begin);
        boolean done = false;
        try {
            file.read(from, buffer, (int) (end - from), segment);
            done = true;
        }
        finally {
            if (owned && !done) {
                buffers.giveBack(buffer);
            }
        }
        return new Window(buffer, from, end, owned);
    }

    private int arraySize(long begin, long end)
            throws IOException
    {
        long from = file.readBegin(begin);
        long length = end - from;
        if (length > MAX_LENGTH) {
            throw file.invalid(segment, new IllegalArgumentException("%s bytes stand together".formatted(length)));
        }
        file.checkSize(from, length, segment);
        return (int) length + NarrowValues.SLACK;
    }
}
