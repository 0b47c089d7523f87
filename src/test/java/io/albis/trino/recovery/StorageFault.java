package io.albis.trino.recovery;

import io.albis.filesystem.CountingFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fails one operation of the storage, counted over all threads: an operation on a file, or a read or write in its
 * middle.
 */
final class StorageFault
        implements Hook
{
    private final AtomicInteger operations = new AtomicInteger();
    private volatile boolean armed;
    private volatile int position;
    private volatile boolean afterwards;
    private volatile String where = "nowhere";
    private volatile boolean atDelete;
    // Whether the operation of a thread fails after it took effect
    private final ThreadLocal<Boolean> failsAfter = ThreadLocal.withInitial(() -> false);
    private final CountingFileSystem.Counter reads = new CountingFileSystem.Counter()
    {
        @Override
        protected void read(Location location)
                throws IOException
        {
            strikeAt("read of " + location);
        }

        @Override
        protected void write(Location location)
                throws IOException
        {
            strikeAt("write of " + location);
        }
    };

    /**
     * Fails the operation with a position, counted from 0.
     *
     * @param afterwards whether the operation takes effect before it fails
     */
    void arm(int position, boolean afterwards)
    {
        this.position = position;
        this.afterwards = afterwards;
        where = "nowhere";
        atDelete = false;
        operations.set(0);
        armed = true;
    }

    /**
     * @return the number of operations since the fault was armed
     */
    int disarm()
    {
        armed = false;
        return operations.get();
    }

    /**
     * Returns the counter of the streams, which fails single reads and writes.
     */
    CountingFileSystem.Counter reads()
    {
        return reads;
    }

    boolean isStruck()
    {
        return !where.equals("nowhere");
    }

    /**
     * Returns whether the operation that failed deletes a file, which then stays.
     */
    boolean isAtDelete()
    {
        return atDelete;
    }

    @Override
    public void before(Operation operation)
            throws IOException
    {
        // A failed operation has no end
        failsAfter.set(false);
        if (!isNext()) {
            return;
        }
        atDelete = operation.kind() == Kind.DELETE;
        if (afterwards) {
            where = "after %s of %s".formatted(operation.kind(), operation.location());
            failsAfter.set(true);
            return;
        }
        strike("before %s of %s".formatted(operation.kind(), operation.location()));
    }

    @Override
    public void after(Operation operation)
            throws IOException
    {
        if (failsAfter.get()) {
            failsAfter.set(false);
            strike(where);
        }
    }

    private void strikeAt(String operation)
            throws IOException
    {
        if (isNext()) {
            strike("in the " + operation);
        }
    }

    private boolean isNext()
    {
        return armed && operations.getAndIncrement() == position;
    }

    private void strike(String where)
            throws IOException
    {
        this.where = where;
        throw new IOException("The storage fails " + where);
    }

    @Override
    public String toString()
    {
        return "fault of operation %s, %s".formatted(position, where);
    }
}
