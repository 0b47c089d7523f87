package io.albis.format.request;

import io.albis.format.io.ReadBuffers;
import io.albis.format.run.NarrowValues;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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
     * read again are verified again.
     */
    static final class Window
    {
        private final byte[] bytes;
        // offset of the first byte in the file
        private final long begin;
        private final long end;
        // whether the array is from the buffers of the reader; otherwise it is that of a planned read or of a block
        private final boolean buffered;
        private int checkedRuns;

        Window(byte[] bytes, long begin, long end, boolean buffered)
        {
            this.bytes = requireNonNull(bytes, "bytes is null");
            this.begin = begin;
            this.end = end;
            this.buffered = buffered;
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

        boolean isChecked(int run)
        {
            return (checkedRuns & (1 << run)) != 0;
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
        file.read(from, buffer, (int) (end - from), segment);
        return new Window(buffer, from, end, buffered);
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
