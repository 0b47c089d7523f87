package io.albis.format.request;

import io.albis.format.io.ReadBuffers;
import io.albis.format.run.StoredBytes;
import io.albis.format.vector.NarrowValues;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

import static io.albis.format.io.PageChecksum.PAGE_SIZE;
import static java.util.Objects.requireNonNull;

/**
 * The bytes of one chunk that are in memory. Each window of them stays until none of its parts is needed any more, so
 * that no byte is read twice.
 */
final class ChunkWindows
        implements RequestPlanner.LoadedBytes
{
    private final DataFile file;
    private final ReadBuffers buffers;
    private final List<Window> windows = new ArrayList<>(1);

    /**
     * A range of the file in memory, and the runs of the chunk whose checksums have been verified there. Bytes that are
     * read again are verified again. A window for a single part may contain only some of its pages.
     */
    static final class Window
    {
        private final byte[] bytes;
        // offset of the first byte in the file
        private final long begin;
        private final long end;
        // whether the array is from the buffers of the reader; otherwise it is that of a planned read or of a block
        private final boolean buffered;
        // a bit for each page of a part that has been read and verified; null if the window contains all its bytes
        @Nullable
        private final BitSet pages;
        private int checkedRuns;

        Window(byte[] bytes, long begin, long end, boolean buffered)
        {
            this(bytes, begin, end, buffered, null);
        }

        private Window(byte[] bytes, long begin, long end, boolean buffered, @Nullable BitSet pages)
        {
            this.bytes = requireNonNull(bytes, "bytes is null");
            this.begin = begin;
            this.end = end;
            this.buffered = buffered;
            this.pages = pages;
        }

        byte[] bytes()
        {
            return bytes;
        }

        /**
         * Returns the index in {@link #bytes} of the byte at an offset of the file.
         */
        int index(long offset)
        {
            return (int) (offset - begin);
        }

        /**
         * Returns whether the window is for a part of which only some pages may have been read.
         */
        boolean isByPage()
        {
            return pages != null;
        }

        boolean isChecked(int run)
        {
            // pages are verified when they are read
            return isByPage() || (checkedRuns & (1 << run)) != 0;
        }

        void setChecked(int run)
        {
            checkedRuns |= 1 << run;
        }

        private boolean holds(long from, long to)
        {
            return begin <= from && to <= end;
        }
    }

    ChunkWindows(DataFile file, ReadBuffers buffers)
    {
        this.file = requireNonNull(file, "file is null");
        this.buffers = requireNonNull(buffers, "buffers is null");
    }

    /**
     * Finds the window that holds a range. Waits for the range if its read is planned.
     *
     * @return null if the range is neither in memory nor planned, or the planned read failed
     */
    @Nullable
    Window find(long begin, long end, int segment)
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
        return add(new Window(planned.bytes(), planned.begin(), planned.end(), false));
    }

    private Window add(Window window)
    {
        windows.add(window);
        return window;
    }

    /**
     * Returns whether a part of a range is in memory.
     */
    boolean isInMemory(long begin, long end)
    {
        for (Window window : windows) {
            if (window.begin < end && begin < window.end) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a part of a range is in memory or planned.
     */
    @Override
    public boolean overlaps(long begin, long end)
    {
        return isInMemory(begin, end) || file.findPlanned(begin, end) != null;
    }

    /**
     * Reads a range into a window that stays in memory until none of its parts is needed any more.
     */
    Window read(long begin, long end, int segment)
            throws IOException
    {
        byte[] buffer = buffers.take(arraySize(begin, end, segment));
        boolean done = false;
        try {
            Window window = add(read(begin, end, buffer, true, segment));
            done = true;
            return window;
        }
        finally {
            if (!done) {
                buffers.giveBack(buffer);
            }
        }
    }

    /**
     * Reads a range into an array of its own, which a block can retain.
     */
    Window readAlone(long begin, long end, int segment)
            throws IOException
    {
        return read(begin, end, new byte[arraySize(begin, end, segment)], false, segment);
    }

    private Window read(long begin, long end, byte[] buffer, boolean buffered, int segment)
            throws IOException
    {
        long from = file.readBegin(begin);
        file.read(from, buffer, 0, (int) (end - from), segment);
        return new Window(buffer, from, end, buffered);
    }

    /**
     * Adds a window for a part of which no page has been read.
     */
    Window addByPage(long begin, long end, int segment)
            throws IOException
    {
        byte[] buffer = buffers.take(arraySize(begin, end, segment));
        return add(new Window(buffer, file.readBegin(begin), end, true, new BitSet()));
    }

    /**
     * Reads and verifies those pages of a part that its window does not contain yet. One request reads adjacent pages.
     *
     * @param needed a bit for each page
     */
    void readPages(Window window, BitSet needed, ChunkParts parts, int part, StoredBytes stored, int segment)
            throws IOException
    {
        if (needed.length() > stored.checksums().length) {
            throw file.invalid(segment, new IllegalArgumentException("%s: a value is not within its %s bytes".formatted(ChunkParts.name(part), stored.length())));
        }
        BitSet missing = (BitSet) needed.clone();
        missing.andNot(window.pages);
        long begin = parts.begin(part);
        for (int first = missing.nextSetBit(0); first >= 0; ) {
            int end = missing.nextClearBit(first);
            long from = file.readBegin(begin + (long) first * PAGE_SIZE);
            long to = Math.min(begin + (long) end * PAGE_SIZE, parts.end(part));
            file.read(from, window.bytes, window.index(from), (int) (to - from), segment);
            file.check(window.bytes, window.index(begin), stored, first, end, begin, segment, ChunkParts.name(part));
            window.pages.set(first, end);
            first = missing.nextSetBit(end);
        }
    }

    /**
     * Reads and verifies all pages of a part that its window does not contain yet, if it is a window by page.
     */
    void complete(Window window, ChunkParts parts, int part, StoredBytes stored, int segment)
            throws IOException
    {
        if (window.isByPage()) {
            BitSet all = new BitSet();
            all.set(0, stored.checksums().length);
            readPages(window, all, parts, part, stored, segment);
        }
    }

    private int arraySize(long begin, long end, int segment)
            throws IOException
    {
        long from = file.readBegin(begin);
        long length = end - from;
        if (length > NarrowValues.MAX_LENGTH) {
            throw file.invalid(segment, new IllegalArgumentException("a part of %s bytes is too long".formatted(length)));
        }
        file.checkSize(from, length, segment);
        return (int) length + NarrowValues.SLACK;
    }

    /**
     * Releases the windows that hold none of the parts that are still needed.
     *
     * @param needed a bit for each part
     */
    void retain(ChunkParts parts, int needed)
    {
        windows.removeIf(window -> {
            for (int part = 0; part < parts.count(); part++) {
                if (parts.isIn(part, needed) && window.holds(parts.begin(part), parts.end(part))) {
                    return false;
                }
            }
            release(window);
            return true;
        });
    }

    void releaseAll()
    {
        windows.forEach(this::release);
        windows.clear();
    }

    private void release(Window window)
    {
        if (window.buffered) {
            buffers.giveBack(window.bytes);
        }
    }
}
