package io.albis.format.search;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.albis.format.index.FoundValues;
import io.albis.format.index.ValueListReader;
import jakarta.annotation.Nullable;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The search of one index for the values that match one filter, or for those that do not, shared by the readers of the
 * splits of a row group. Each step is taken once, unless it fails or its limits were lower. One reader accounts for the
 * memory. Thread safe.
 */
public final class SharedSearch
{
    private final AtomicReference<Object> owner = new AtomicReference<>();
    // null before they are found, and after their positions have been read
    @Nullable
    @GuardedBy("this")
    private FoundValues values;
    // the number of rows of the values; -1 before they are found
    @GuardedBy("this")
    private int rows = -1;
    // the most rows that were of interest in the last search for values that found nothing; -1 before it
    @GuardedBy("this")
    private int exceeded = -1;
    // never changed
    @Nullable
    @GuardedBy("this")
    private RoaringBitmap positions;
    private volatile long retainedSize;
    // the index that a step reads; null between steps
    @Nullable
    private volatile ValueListReader reading;
    // is done when the last reader has ended its search
    private final AtomicReference<CompletableFuture<?>> last = new AtomicReference<>(CompletableFuture.completedFuture(null));

    /**
     * Adds the search of a reader, and returns a future that is done when that of the reader before it has ended.
     */
    CompletableFuture<?> follow(CompletableFuture<?> ended)
    {
        return last.getAndSet(ended);
    }

    /**
     * Finds the values.
     *
     * @param search finds the same values in each reader, and reads at most the same number of bytes
     * @param maxRows the most rows that are of interest
     * @return the number of their rows; empty if there are more rows, or if it is faster to read the column
     */
    synchronized OptionalInt findValues(ValueListReader index, Step<Optional<FoundValues>> search, int maxRows)
            throws IOException
    {
        if (rows < 0 && maxRows > exceeded) {
            Optional<FoundValues> found = step(index, search);
            if (found.isPresent()) {
                values = found.get();
                rows = values.rows();
                retainedSize = values.retainedSize();
            }
            else {
                exceeded = maxRows;
            }
        }
        return rows < 0 || rows > maxRows ? OptionalInt.empty() : OptionalInt.of(rows);
    }

    /**
     * Returns the number of bytes of the positions, or zero if they have been read. The values must have been found.
     */
    synchronized long positionBytes()
    {
        return positions == null ? values.bytes() : 0;
    }

    /**
     * Reads the positions of the values, which must have been found.
     *
     * @return a bitmap that must not be changed; empty if it is faster to read the column
     */
    public synchronized Optional<RoaringBitmap> readPositions(ValueListReader index, long maxBytes)
            throws IOException
    {
        if (positions == null) {
            FoundValues matching = values;
            Optional<RoaringBitmap> found = step(index, () -> index.readPositions(matching, maxBytes));
            if (found.isEmpty()) {
                return found;
            }
            positions = found.get();
            values = null;
            retainedSize = positions.getLongSizeInBytes();
        }
        return Optional.of(positions);
    }

    /**
     * Reads a part of the index.
     */
    @FunctionalInterface
    interface Step<T>
    {
        T take()
                throws IOException;
    }

    private <T> T step(ValueListReader index, Step<T> step)
            throws IOException
    {
        reading = index;
        try {
            return step.take();
        }
        finally {
            reading = null;
            index.endStep();
        }
    }

    /**
     * Returns the number of bytes that the reader must account for, which is zero if another reader already does.
     */
    public long claim(Object reader)
    {
        if (owner.get() != reader && !owner.compareAndSet(null, reader)) {
            return 0;
        }
        // does not wait for a step that another reader is taking
        ValueListReader index = reading;
        return retainedSize + (index == null ? 0 : index.loadedBytes());
    }

    /**
     * Ends the accounting by a reader, so that another reader can take over.
     */
    public void release(Object reader)
    {
        owner.compareAndSet(reader, null);
    }
}
