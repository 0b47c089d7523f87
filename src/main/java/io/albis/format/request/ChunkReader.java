package io.albis.format.request;

import io.albis.format.io.AlbisDataException;
import io.albis.format.io.ReadBuffers;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.request.ChunkWindows.Window;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkSource;
import io.albis.format.run.Compression;
import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunPages;
import io.albis.format.run.Segment;
import io.albis.format.run.StoredBytes;
import io.albis.format.vector.NarrowValues;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static io.albis.format.io.PageChecksum.PAGE_SIZE;
import static java.util.Objects.requireNonNull;

/**
 * Reads and checks the runs of one chunk of each segment. The bytes of a run come from memory, from a planned read, or
 * from a request of its own, which also reads the parts nearby that will be needed.
 */
public final class ChunkReader
        implements ChunkSource
{
    public static final int ALL_RUNS = (1 << Segment.MAX_RUNS) - 1;
    private static final byte[] NO_BYTES = new byte[NarrowValues.SLACK];

    private final ColumnGroupMetadata metadata;
    private final int node;
    private final DataFile file;
    private final RequestPlanner planner;
    private final ChunkWindows windows;
    private final DecompressedRuns decompressed;

    private int segment;
    private int segmentRows;
    @Nullable
    private Chunk chunk;
    private ChunkParts parts;
    // a bit for each part that may still be requested
    private int needed;

    /**
     * Creates a reader that is at no chunk yet.
     *
     * @param node number of the node in the column group
     */
    public ChunkReader(ColumnGroupMetadata metadata, int node, DataFile file, RequestPlanner planner, ReadBuffers buffers)
    {
        this.metadata = requireNonNull(metadata, "metadata is null");
        this.node = node;
        this.file = requireNonNull(file, "file is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.windows = new ChunkWindows(file, buffers);
        this.decompressed = new DecompressedRuns(buffers);
    }

    /**
     * Goes to the chunk of a segment, all of whose parts are needed.
     */
    public void start(int segment)
            throws AlbisDataException
    {
        start(segment, metadata.chunk(node, segment), metadata.segmentRows()[segment]);
    }

    /**
     * Goes to a chunk of a segment, all of whose parts are needed.
     *
     * @param rows number of values of the chunk
     */
    public void start(int segment, Chunk chunk, int rows)
    {
        windows.releaseAll();
        decompressed.retain(0);
        this.segment = segment;
        this.chunk = chunk;
        segmentRows = rows;
        parts = new ChunkParts(chunk);
        needed = ChunkParts.parts(ALL_RUNS) | ChunkParts.DICTIONARY_BIT;
    }

    public Chunk chunk()
    {
        return chunk;
    }

    /**
     * Returns the number of bytes of a run, including those of the dictionary for the first run.
     */
    public long length(int run)
    {
        // a constant has no runs
        long length = run < chunk.runs().size() ? chunk.runs().get(run).length() : 0;
        return run == 0 ? length + chunk.dictionaryLength() : length;
    }

    /**
     * Returns the number of bytes of some runs of a segment, and of its dictionary.
     *
     * @param runs a bit for each run
     */
    public long length(int segment, int runs)
            throws AlbisDataException
    {
        return new ChunkParts(metadata.chunk(node, segment)).totalLength(ChunkParts.parts(runs) | ChunkParts.DICTIONARY_BIT);
    }

    /**
     * Sets the runs that may still be requested, and releases the others.
     *
     * @param runs a bit for each run
     */
    public void retainOnly(int runs)
    {
        needed = ChunkParts.parts(runs) | (needed & ChunkParts.DICTIONARY_BIT);
        releaseOthers();
    }

    /**
     * Releases the runs before a run, which are not requested any more.
     */
    public void pass(int run)
    {
        int passed = ChunkParts.parts((1 << run) - 1);
        if ((needed & passed) != 0) {
            needed &= ~passed;
            releaseOthers();
        }
    }

    private void releaseOthers()
    {
        windows.retain(parts, needed);
        decompressed.retain(ChunkParts.runs(needed));
    }

    /**
     * Adds the ranges of some runs of a segment, and of its dictionary, that are neither in memory nor planned.
     *
     * @param runs a bit for each run
     */
    public void addMissing(int segment, int runs, List<FileRange> ranges)
            throws AlbisDataException
    {
        boolean started = chunk != null && this.segment == segment;
        ChunkParts target = started ? parts : new ChunkParts(metadata.chunk(node, segment));
        int targetParts = ChunkParts.parts(runs) | (started ? needed & ChunkParts.DICTIONARY_BIT : ChunkParts.DICTIONARY_BIT);
        for (int part = 0; part < target.count(); part++) {
            if (target.isIn(part, targetParts) && !isLoaded(target, part, started)) {
                ranges.add(new FileRange(file, segment, node, target.begin(part), target.end(part)));
            }
        }
    }

    private boolean isLoaded(ChunkParts target, int part, boolean started)
    {
        long begin = target.begin(part);
        long end = target.end(part);
        return (started && windows.isInMemory(begin, end)) || file.findPlanned(begin, end) != null;
    }

    /**
     * Reads all needed runs of the chunk.
     */
    public void readAll()
            throws IOException
    {
        for (int run = 0; run < chunk.runs().size(); run++) {
            int part = ChunkParts.part(run);
            if (parts.isIn(part, needed) && find(part) == null) {
                load(part, NarrowValues.MAX_LENGTH);
            }
        }
    }

    @Override
    public RunBytes run(int index, boolean keep)
            throws IOException
    {
        Run run = chunk.runs().get(index);
        int part = ChunkParts.part(index);
        long length = parts.length(part);
        if (length == 0) {
            return runBytes(NO_BYTES, 0, index, run);
        }
        if (run.stored().compression() != Compression.NONE) {
            return decompressed(index, run, keep);
        }
        Window window = find(part);
        if (window == null && keep && RequestPlanner.isReadAlone(length, planner.maxRequest())) {
            return check(windows.readAlone(parts.begin(part), parts.end(part), segment), index, run);
        }
        if (window == null) {
            window = load(part, planner.maxRequest());
        }
        windows.complete(window, parts, part, run.stored(), segment);
        RunBytes bytes = check(window, index, run);
        return keep ? bytes.copy() : bytes;
    }

    @Override
    public RunBytes run(int index, int values, NeededBytes needed)
            throws IOException
    {
        Run run = chunk.runs().get(index);
        Window window = findByPage(ChunkParts.part(index), run.stored(), runBytes(NO_BYTES, 0, index, run), values, needed);
        return window == null ? run(index, false) : check(window, index, run);
    }

    /**
     * Returns the window with the needed pages of a part.
     *
     * @param description the parameters of the part, without its bytes
     * @return null if the part is in memory, or if it is faster to read all of it
     */
    @Nullable
    private Window findByPage(int part, StoredBytes stored, RunBytes description, int values, NeededBytes needed)
            throws IOException
    {
        if (values > planner.maxPageValues() || stored.length() <= PAGE_SIZE || stored.compression() != Compression.NONE) {
            return null;
        }
        Window window = find(part);
        if (window != null && !window.isByPage()) {
            return null;
        }
        RunPages pages = new RunPages();
        needed.addTo(pages, description);
        pages.closeGaps(planner.maxGap());
        if (window == null) {
            long length = parts.length(part);
            // the first comparison is fast, and usually decides
            if (!planner.isFasterByPage(pages, length, true) || !planner.isFasterByPage(pages, length, request(part, planner.maxRequest()).length() == length)) {
                return null;
            }
            window = windows.addByPage(parts.begin(part), parts.end(part), segment);
        }
        windows.readPages(window, pages.known(), parts, part, stored, segment);
        return window;
    }

    private RunBytes check(Window window, int index, Run run)
            throws AlbisDataException
    {
        return runBytes(window.bytes(), checkedOffset(window, index, run), index, run);
    }

    /**
     * Verifies the checksums of a run, and returns its offset in the window.
     */
    private int checkedOffset(Window window, int index, Run run)
            throws AlbisDataException
    {
        long begin = parts.begin(ChunkParts.part(index));
        int offset = window.index(begin);
        if (!window.isChecked(index)) {
            file.check(window.bytes(), offset, run.stored(), begin, segment, ChunkParts.name(ChunkParts.part(index)));
            window.setChecked(index);
        }
        return offset;
    }

    private RunBytes runBytes(byte[] bytes, int offset, int index, Run run)
    {
        return new RunBytes(bytes, offset, run.length(), Segment.runRows(segmentRows, index), run.nulls(), run.encoding());
    }

    /**
     * Returns a run that is stored in compressed form. If blocks retain the bytes, the run is decompressed into the
     * array that they retain.
     */
    private RunBytes decompressed(int index, Run run, boolean keep)
            throws IOException
    {
        byte[] bytes = decompressed.find(index);
        if (bytes != null) {
            RunBytes found = runBytes(bytes, 0, index, run);
            return keep ? found.copy() : found;
        }
        int part = ChunkParts.part(index);
        Window found = find(part);
        Window window = found == null ? load(part, planner.maxRequest()) : found;
        int offset = checkedOffset(window, index, run);
        DecompressedRuns.Decompression decompression = output -> file.decompress(run.stored(), window.bytes(), offset, output, segment, ChunkParts.name(part));
        bytes = keep ? decompression.into(new byte[run.length() + NarrowValues.SLACK]) : decompressed.add(index, run.length(), decompression);
        return runBytes(bytes, 0, index, run);
    }

    @Override
    public RunBytes dictionary()
            throws IOException
    {
        Dictionary dictionary = (Dictionary) chunk.encoding();
        int part = ChunkParts.DICTIONARY;
        long begin = parts.begin(part);
        int length = (int) parts.length(part);
        Window window = find(part);
        StoredBytes stored = dictionary.stored();
        boolean compressed = stored.compression() != Compression.NONE;
        boolean alone = window == null && !compressed && RequestPlanner.isReadAlone(length, planner.maxRequest());
        if (alone) {
            window = windows.readAlone(begin, parts.end(part), segment);
        }
        else if (window == null) {
            window = load(part, planner.maxRequest());
        }
        int offset = window.index(begin);
        windows.complete(window, parts, part, stored, segment);
        if (!window.isByPage()) {
            file.check(window.bytes(), offset, stored, begin, segment, ChunkParts.name(part));
        }
        needed &= ~ChunkParts.DICTIONARY_BIT;
        if (compressed) {
            byte[] bytes = file.decompress(stored, window.bytes(), offset, new byte[stored.decodedLength() + NarrowValues.SLACK], segment, ChunkParts.name(part));
            return entries(bytes, 0, dictionary);
        }
        RunBytes bytes = entries(window.bytes(), offset, dictionary);
        return alone ? bytes : bytes.copy();
    }

    @Override
    public Optional<RunBytes> dictionary(int values, NeededBytes needed)
            throws IOException
    {
        Dictionary dictionary = (Dictionary) chunk.encoding();
        Window window = findByPage(ChunkParts.DICTIONARY, dictionary.stored(), entries(NO_BYTES, 0, dictionary), values, needed);
        return window == null ? Optional.empty() : Optional.of(entries(window.bytes(), window.index(chunk.offset()), dictionary));
    }

    private static RunBytes entries(byte[] bytes, int offset, Dictionary dictionary)
    {
        return new RunBytes(bytes, offset, dictionary.stored().decodedLength(), dictionary.entries(), 0, dictionary.values());
    }

    @Nullable
    private Window find(int part)
            throws IOException
    {
        return windows.find(parts.begin(part), parts.end(part), segment);
    }

    /**
     * Reads a part, and with the same request the needed parts nearby.
     */
    private Window load(int part, int maxLength)
            throws IOException
    {
        FileRange request = request(part, maxLength);
        return windows.read(request.begin(), request.end(), segment);
    }

    /**
     * Returns the range that a request for a part reads.
     */
    private FileRange request(int part, int maxLength)
    {
        if (RequestPlanner.isReadAlone(parts.length(part), maxLength)) {
            return range(part);
        }
        List<FileRange> ranges = new ArrayList<>(parts.count());
        if (part != ChunkParts.DICTIONARY) {
            addNearby(ChunkParts.DICTIONARY, ranges);
        }
        int index = ranges.size();
        ranges.add(range(part));
        for (int next = part + 1; next < parts.count() && parts.end(next) - parts.begin(part) <= maxLength; next++) {
            addNearby(next, ranges);
        }
        return planner.plan(ranges, index, maxLength, windows);
    }

    private void addNearby(int part, List<FileRange> ranges)
    {
        if (parts.isIn(part, needed) && !windows.overlaps(parts.begin(part), parts.end(part))) {
            ranges.add(range(part));
        }
    }

    private FileRange range(int part)
    {
        return new FileRange(file, segment, node, parts.begin(part), parts.end(part));
    }
}
