package io.albis.format.request;

import io.albis.format.io.ReadBuffers;
import io.albis.format.io.StorageAccess;
import io.albis.format.vector.NarrowValues;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/**
 * The reads that are planned for the segments ahead. Other threads perform them if the reader reads ahead. Keeps the
 * bytes until the reader has passed the segments that need them, and limits their number.
 */
public final class ReadPlan
{
    private static final CompletableFuture<?> DONE = CompletableFuture.completedFuture(null);

    private final StorageAccess access;
    private final RequestPlanner planner;
    private final Executor executor;
    private final ReadBuffers buffers;
    private final List<PlannedRead> reads = new ArrayList<>();
    // dropped while another thread was reading; their arrays remain in memory until the read has ended
    private final List<PlannedRead> abandoned = new ArrayList<>();
    private long heldBytes;

    public ReadPlan(StorageAccess access, RequestPlanner planner, Executor executor, ReadBuffers buffers)
    {
        this.access = requireNonNull(access, "access is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.buffers = requireNonNull(buffers, "buffers is null");
    }

    /**
     * Returns the number of further bytes that may be planned.
     */
    public long room()
    {
        forgetEnded();
        return max(0, access.maxPlanned() - heldBytes);
    }

    /**
     * Plans to read ranges ahead of time, as far as there is room for them.
     *
     * @param ranges ranges that are neither in memory nor planned; those of one chunk follow each other in ascending
     *         order
     */
    public void plan(List<FileRange> ranges)
    {
        for (Request request : planner.plan(ranges)) {
            toRead(request).ifPresent(this::start);
        }
    }

    private Optional<PlannedRead> toRead(Request request)
    {
        long begin = request.file().readBegin(request.begin());
        long length = request.end() - begin;
        if (length > NarrowValues.MAX_LENGTH || !(request.severalChunks() || access.readAhead())) {
            // the reader of the chunk makes its own requests when it needs the bytes
            return Optional.empty();
        }
        return Optional.of(new PlannedRead(request.file(), begin, (int) length, request.firstSegment(), request.lastSegment(), access.readAhead()));
    }

    private void start(PlannedRead read)
    {
        if (read.length() > room()) {
            return;
        }
        if (access.readAhead()) {
            try {
                executor.execute(read);
            }
            catch (RejectedExecutionException _) {
                // The executor is shut down because the catalog is being closed. The reader makes its own requests.
                return;
            }
        }
        reads.add(read);
        read.file().plan(read);
        heldBytes += read.length();
    }

    /**
     * Returns a future that is done when no read that is planned for a segment is pending.
     */
    public CompletableFuture<?> ready(int segment)
    {
        List<CompletableFuture<?>> pending = null;
        for (PlannedRead read : reads) {
            if (read.firstSegment() <= segment && segment <= read.lastSegment() && read.isPending()) {
                pending = pending == null ? new ArrayList<>() : pending;
                pending.add(read.done());
            }
        }
        return pending == null ? DONE : CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new));
    }

    /**
     * Releases the reads that only earlier segments need.
     */
    public void pass(int segment)
    {
        if (reads.isEmpty()) {
            return;
        }
        for (Iterator<PlannedRead> iterator = reads.iterator(); iterator.hasNext(); ) {
            PlannedRead read = iterator.next();
            if (read.lastSegment() < segment) {
                iterator.remove();
                release(read);
            }
        }
    }

    private void release(PlannedRead read)
    {
        read.file().forget(read);
        read.drop(buffers);
        if (read.isPending()) {
            abandoned.add(read);
        }
        else {
            heldBytes -= read.length();
        }
    }

    private void forgetEnded()
    {
        for (Iterator<PlannedRead> iterator = abandoned.iterator(); iterator.hasNext(); ) {
            PlannedRead read = iterator.next();
            if (!read.isPending()) {
                iterator.remove();
                heldBytes -= read.length();
            }
        }
    }

    /**
     * Returns the number of bytes that are being read or have been read ahead. Reads into the buffers of the reader are
     * not included, because the buffers count them.
     */
    public long retainedSize()
    {
        forgetEnded();
        return access.readAhead() ? heldBytes : 0;
    }

    public void close()
    {
        reads.forEach(this::release);
        reads.clear();
    }
}
