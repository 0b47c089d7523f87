package io.albis.format.request;

import io.albis.format.io.PageChecksum;
import io.albis.format.io.StorageAccess;
import io.albis.format.run.RunPages;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Plans all requests for data: those that read ahead, and those for bytes that are needed now. One request reads
 * several ranges if they are close enough to each other, because the latency of a request is worth many bytes.
 */
public final class RequestPlanner
{
    // A request to a local disk takes about as long as copying and verifying two pages.
    private static final int LOCAL_REQUEST_COST = 2 * PageChecksum.PAGE_SIZE;

    private final StorageAccess access;
    private final int maxPageValues;

    /**
     * Tells which bytes a request must not read again.
     */
    @FunctionalInterface
    interface LoadedBytes
    {
        /**
         * Returns whether a part of a range is in memory or planned.
         */
        boolean overlaps(long begin, long end);
    }

    /**
     * @param maxPageValues the most values of a run of which only single pages are read
     */
    public RequestPlanner(StorageAccess access, int maxPageValues)
    {
        this.access = requireNonNull(access, "access is null");
        this.maxPageValues = maxPageValues;
    }

    /**
     * Returns the most values of a run of which only single pages are read.
     */
    int maxPageValues()
    {
        return maxPageValues;
    }

    /**
     * Returns the maximum number of bytes of a request that reads several ranges.
     */
    int maxRequest()
    {
        return access.maxRequest();
    }

    /**
     * Returns the maximum number of bytes between two ranges that one request reads.
     */
    int maxGap()
    {
        return access.maxGap();
    }

    /**
     * Returns the time that a request takes in addition to its bytes, in bytes that a request reads in the same time.
     */
    public int requestCost()
    {
        return max(LOCAL_REQUEST_COST, access.maxGap());
    }

    /**
     * Returns whether reading some pages of a run is faster than reading the run.
     *
     * @param length number of bytes of the run
     * @param alone whether no other request would read the run as well
     */
    boolean isFasterByPage(RunPages pages, long length, boolean alone)
    {
        return pages.cost(requestCost()) < length + (alone ? requestCost() : 0);
    }

    /**
     * Returns whether a range is read alone, so that it is still in the processor's cache when it is decoded.
     *
     * @param maxLength the maximum number of bytes of a request that reads several ranges
     */
    static boolean isReadAlone(long length, int maxLength)
    {
        return length >= maxLength / 2;
    }

    /**
     * Plans the requests that read ranges ahead of time.
     *
     * @param ranges ranges that are neither in memory nor planned; those of one chunk follow each other in ascending
     *         order
     * @return the requests, in the order of their first segments
     */
    List<Request> plan(List<FileRange> ranges)
    {
        Map<DataFile, List<FileRange>> files = new LinkedHashMap<>();
        for (FileRange range : joinParts(ranges)) {
            files.computeIfAbsent(range.file(), _ -> new ArrayList<>()).add(range);
        }
        List<Request> requests = new ArrayList<>();
        for (Map.Entry<DataFile, List<FileRange>> entry : files.entrySet()) {
            DataFile file = entry.getKey();
            List<FileRange> inFile = entry.getValue();
            inFile.sort(Comparator.comparingLong(FileRange::begin));
            LoadedBytes planned = (begin, end) -> file.findPlanned(begin, end) != null;
            for (int first = 0; first < inFile.size(); ) {
                int end = requestEnd(inFile, first, access.maxRequest(), planned);
                requests.add(request(file, inFile.subList(first, end)));
                first = end;
            }
        }
        requests.sort(Comparator.comparingInt(Request::firstSegment));
        return requests;
    }

    /**
     * Joins the adjacent parts of each chunk first, so that requests end between chunks rather than within one.
     */
    private List<FileRange> joinParts(List<FileRange> ranges)
    {
        List<FileRange> joined = new ArrayList<>();
        for (FileRange range : ranges) {
            if (!joined.isEmpty()) {
                FileRange last = joined.getLast();
                if (last.isSameChunk(range) && last.end() == range.begin() && range.end() - last.begin() <= access.maxRequest()) {
                    joined.set(joined.size() - 1, last.to(range));
                    continue;
                }
            }
            joined.add(range);
        }
        return joined;
    }

    private static Request request(DataFile file, List<FileRange> ranges)
    {
        FileRange first = ranges.getFirst();
        int firstSegment = first.segment();
        int lastSegment = first.segment();
        boolean severalChunks = false;
        for (FileRange range : ranges) {
            firstSegment = min(firstSegment, range.segment());
            lastSegment = max(lastSegment, range.segment());
            severalChunks |= !range.isSameChunk(first);
        }
        return new Request(file, first.begin(), ranges.getLast().end(), firstSegment, lastSegment, severalChunks);
    }

    /**
     * Plans the request for a range that is needed now.
     *
     * @param ranges ranges of one chunk in ascending order: the needed range, and others that will be needed
     * @param needed index of the range that is needed now
     * @param maxLength the maximum number of bytes of a request that reads several ranges
     * @return the needed range with those of the others that the same request reads
     */
    FileRange plan(List<FileRange> ranges, int needed, int maxLength, LoadedBytes loaded)
    {
        int first = 0;
        int end = requestEnd(ranges, first, maxLength, loaded);
        while (end <= needed) {
            first = end;
            end = requestEnd(ranges, first, maxLength, loaded);
        }
        return ranges.get(first).to(ranges.get(end - 1));
    }

    /**
     * Returns the index after the last range that a request beginning with the range at {@code first} reads.
     */
    private int requestEnd(List<FileRange> ranges, int first, int maxLength, LoadedBytes loaded)
    {
        long begin = ranges.get(first).begin();
        int end = first + 1;
        while (end < ranges.size()) {
            long lastEnd = ranges.get(end - 1).end();
            FileRange next = ranges.get(end);
            if (next.begin() - lastEnd > access.maxGap() || next.end() - begin > maxLength || loaded.overlaps(lastEnd, next.begin())) {
                break;
            }
            end++;
        }
        return end;
    }
}
