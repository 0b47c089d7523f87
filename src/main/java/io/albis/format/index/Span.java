package io.albis.format.index;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

/**
 * Bytes of a range of an index that one request reads.
 */
record Span(int begin, int end)
{
    // So few requests are made regardless of their cost, because a search saves more than the bytes of its column
    private static final int FEW_REQUESTS = 4;
    // A request for this many more bytes is faster than another request on any storage
    private static final int MIN_REQUEST_COST = 4096;

    boolean contains(int first, int last)
    {
        return begin <= first && last <= end;
    }

    /**
     * Returns the requests for parts of a range.
     *
     * @param parts in ascending order; they may overlap
     * @param maxBytes the most bytes of all requests together, to which the cost of more than a few requests is added
     * @param requestCost the time of a request, in bytes that storage transfers in the same time
     * @return empty if reading the parts would take too many bytes or requests
     */
    static Optional<List<Span>> plan(List<Span> parts, long maxBytes, int requestCost)
    {
        List<Span> spans = join(parts, MIN_REQUEST_COST);
        if (spans.size() > FEW_REQUESTS) {
            spans = join(spans, requestCost);
        }
        // reading the column takes a request, too
        long cost = spans.size() > FEW_REQUESTS ? (spans.size() - 1L) * requestCost : 0;
        for (Span span : spans) {
            cost += span.length();
        }
        return cost <= maxBytes ? Optional.of(spans) : Optional.empty();
    }

    /**
     * Joins parts that are at most a number of bytes apart.
     */
    private static List<Span> join(List<Span> parts, int maxGap)
    {
        ImmutableList.Builder<Span> joined = ImmutableList.builder();
        Span last = parts.getFirst();
        for (Span part : parts) {
            if (part.begin() <= last.end() + (long) maxGap) {
                last = new Span(last.begin(), Math.max(last.end(), part.end()));
            }
            else {
                joined.add(last);
                last = part;
            }
        }
        return joined.add(last).build();
    }

    private int length()
    {
        return end - begin;
    }
}
