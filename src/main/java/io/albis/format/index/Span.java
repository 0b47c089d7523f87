package io.albis.format.index;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

/**
 * Bytes of a range of an index that one request reads.
 */
record Span(int begin, int end)
{
    /**
     * The most requests for each range of an index. More of them take longer than to read the column, because each one
     * waits for storage.
     */
    private static final int MAX_REQUESTS = 4;
    // A request for this many more bytes is faster than another request
    private static final int MAX_GAP = 4096;
    // The most bytes that a single request reads instead of many small ones
    private static final int MAX_LENGTH = 1 << 20;

    boolean contains(int first, int last)
    {
        return begin <= first && last <= end;
    }

    /**
     * Returns the requests for parts of a range.
     *
     * @param parts in ascending order; they may overlap
     * @param maxBytes the most bytes of all requests together
     * @return empty if it takes too many requests, or too many bytes
     */
    static Optional<List<Span>> plan(List<Span> parts, long maxBytes)
    {
        ImmutableList.Builder<Span> merged = ImmutableList.builder();
        Span last = parts.getFirst();
        for (Span part : parts) {
            if (part.begin() <= last.end() + (long) MAX_GAP) {
                last = new Span(last.begin(), Math.max(last.end(), part.end()));
            }
            else {
                merged.add(last);
                last = part;
            }
        }
        List<Span> spans = merged.add(last).build();
        if (spans.size() > MAX_REQUESTS) {
            Span all = new Span(spans.getFirst().begin(), spans.getLast().end());
            return all.length() <= Math.min(MAX_LENGTH, maxBytes) ? Optional.of(ImmutableList.of(all)) : Optional.empty();
        }
        long bytes = 0;
        for (Span span : spans) {
            bytes += span.length();
        }
        return bytes <= maxBytes ? Optional.of(spans) : Optional.empty();
    }

    private int length()
    {
        return end - begin;
    }
}
