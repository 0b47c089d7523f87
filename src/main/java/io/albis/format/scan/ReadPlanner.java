package io.albis.format.scan;

import io.albis.format.io.ReadBuffers;
import io.albis.format.io.StorageAccess;
import io.albis.format.run.NarrowValues;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Makes few requests of many ranges, and has them read by other threads if the reader reads ahead. Holds what was read until
 * the reader has passed the segments that it is for.
 */
final class ReadPlanner
{
    private static final CompletableFuture<?> DONE = CompletableFuture.completedFuture(null);
    private static final int MAX_LENGTH = Integer.MAX_VALUE - 2 * NarrowValues.SLACK;

    private final StorageAccess access;
    private final Executor executor;
    private final ReadBuffers buffers;
    private final List<PlannedRead> reads = new ArrayList<>();
    // given up while another thread was at them: their arrays are there until it has ended
    private final List<PlannedRead> abandoned = new ArrayList<>();
    private long heldBytes;

    ReadPlanner(StorageAccess access, Executor executor, ReadBuffers buffers)
    {
        this.access = requireNonNull(access, "access is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.buffers = requireNonNull(buffers, "buffers is null");
    }

    /**
     * How many bytes more may be planned.
     */
    long room()
    {
        forgetEnded();
        return max(0, access.maxPlanned() - heldBytes);
    }

    /**
     * Plans to read ranges, none of which is planned yet; of those for which there is no room, some are left out.
     */
    void plan(List<FileRange> ranges)
    {
        Map<DataFile, List<FileRange>> files = new LinkedHashMap<>();
        for (FileRange range : ranges) {
            files.computeIfAbsent(range.file(), _ -> new ArrayList<>()).add(range);
        }
        List<PlannedRead> planned = new ArrayList<>();
        for (List<FileRange> inFile : files.values()) {
            inFile.sort(Comparator.comparingLong(FileRange::begin));
            merge(inFile, planned);
        }
        planned.sort(Comparator.comparingInt(PlannedRead::firstSegment));
        for (PlannedRead read : planned) {
            start(read);
        }
    }

    private void merge(List<FileRange> ranges, List<PlannedRead> planned)
    {
        int begin = 0;
        while (begin < ranges.size()) {
            int end = begin + 1;
            while (end < ranges.size() && isNear(ranges.get(begin), ranges.get(end - 1), ranges.get(end))) {
                end++;
            }
            toRead(ranges.subList(begin, end)).ifPresent(planned::add);
            begin = end;
        }
    }

    private boolean isNear(FileRange first, FileRange last, FileRange next)
    {
        return next.begin() - last.end() <= access.maxGap() &&
                next.end() - first.begin() <= access.maxRequest() &&
                next.file().findPlanned(last.end(), next.begin()) == null;
    }

    private Optional<PlannedRead> toRead(List<FileRange> ranges)
    {
        FileRange first = ranges.getFirst();
        int firstSegment = first.segment();
        int lastSegment = first.segment();
        boolean several = false;
        for (FileRange range : ranges) {
            firstSegment = min(firstSegment, range.segment());
            lastSegment = max(lastSegment, range.segment());
            several |= range.reader() != first.reader();
        }
        long begin = first.file().readBegin(first.begin());
        long length = ranges.getLast().end() - begin;
        if (length > MAX_LENGTH || !(several || access.readAhead())) {
            // the one that wants it makes its own requests, when it needs to
            return Optional.empty();
        }
        return Optional.of(new PlannedRead(first.file(), begin, (int) length, firstSegment, lastSegment, access.readAhead()));
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
                // the catalog is being closed
                return;
            }
        }
        reads.add(read);
        read.file().plan(read);
        heldBytes += read.length();
    }

    /**
     * Done when nothing that was planned for a segment is on its way any more.
     */
    CompletableFuture<?> ready(int segment)
    {
        List<CompletableFuture<?>> pending = null;
        for (PlannedRead read : reads) {
            if (read.firstSegment() <= segment && segment <= read.lastSegment() && read.isOnItsWay()) {
                pending = pending == null ? new ArrayList<>() : pending;
                pending.add(read.done());
            }
        }
        return pending == null ? DONE : CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new));
    }

    /**
     * Lets go of what is for segments before this one only.
     */
    void pass(int segment)
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
        if (read.isOnItsWay()) {
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
            if (!read.isOnItsWay()) {
                iterator.remove();
                heldBytes -= read.length();
            }
        }
    }

    /**
     * Bytes that are on their way or here, but for those in the shared buffers.
     */
    long retainedSize()
    {
        forgetEnded();
        return access.readAhead() ? heldBytes : 0;
    }

    void close()
    {
        reads.forEach(this::release);
        reads.clear();
    }
}
