package io.albis.format.index;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.albis.format.filter.TestedValues;
import io.albis.format.io.AlbisDataException;
import io.albis.format.request.DataFile;
import io.albis.format.type.OrderKeys;
import io.trino.spi.predicate.Domain;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Finds the rows of a row group whose values a domain contains. A search reads the directory, the pages that may
 * contain values of the domain, and the positions of these values. Not thread safe.
 */
public final class ValueListReader
{
    // A search of more ranges takes longer than a scan of the column
    private static final int MAX_RANGES = 1000;
    // A test of all values reads them with one request of this many bytes at most
    private static final int MAX_TESTED_BYTES = 1 << 20;
    // With fewer rows for each value, a test of the values takes longer than the engine needs for the rows
    private static final int MIN_ROWS_PER_TESTED_VALUE = 8;

    private final DataFile file;
    private final ValueList list;
    private final OrderKeys orderKeys;
    private final long rowGroupRows;

    /**
     * Creates a reader, which reads nothing yet.
     *
     * @param rowGroupRows number of rows of the row group
     */
    public ValueListReader(DataFile file, ValueList list, OrderKeys orderKeys, long rowGroupRows)
    {
        this.file = requireNonNull(file, "file is null");
        this.list = requireNonNull(list, "list is null");
        this.orderKeys = requireNonNull(orderKeys, "orderKeys is null");
        this.rowGroupRows = rowGroupRows;
    }

    /**
     * Returns the positions of the rows whose values a domain contains, including rows that are deleted.
     *
     * @param domain a domain that does not contain all values
     * @param maxRows the most rows that are of interest
     * @return empty if there are more rows, or if the search would take too many requests
     * @throws AlbisDataException if the index is damaged
     */
    public Optional<RoaringBitmap> find(Domain domain, int maxRows)
            throws IOException
    {
        int ranges = domain.getValues().isNone() ? 0 : domain.getValues().getRanges().getRangeCount();
        if (ranges > MAX_RANGES) {
            return Optional.empty();
        }
        try {
            Optional<List<Match>> matches = ranges == 0 ? Optional.of(ImmutableList.of()) : findValues(KeyRanges.of(domain), maxRows);
            return matches.isEmpty() ? Optional.empty() : findPositions(matches.get(), domain.isNullAllowed(), maxRows);
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(e);
        }
    }

    /**
     * Returns the positions of the rows whose values may match a test, including rows that are deleted. This reads all
     * values of the index.
     *
     * @param maxRows the most rows that are of interest
     * @return empty if there are more rows, if the index does not have the values themselves, or if it takes too long to
     *         test all of them
     * @throws AlbisDataException if the index is damaged
     */
    public Optional<RoaringBitmap> find(TestedValues values, int maxRows)
            throws IOException
    {
        boolean isFast = list.values() <= TestedValues.MAX_VALUES && list.pages().length() <= MAX_TESTED_BYTES && (long) list.values() * MIN_ROWS_PER_TESTED_VALUE <= list.rows();
        if (!hasValues() || !isFast) {
            return Optional.empty();
        }
        try {
            List<Match> matches = list.values() == 0 ? ImmutableList.of() : testValues(values);
            return findPositions(matches, values.mayMatch(null), maxRows);
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(e);
        }
    }

    /**
     * Returns whether each value has its own key, from which it can be restored. Equal numbers with different signs of
     * zero or instants in different time zones share a key, and NaN has none, but functions distinguish them.
     */
    private boolean hasValues()
    {
        return switch (orderKeys) {
            case INTEGRAL, BYTES -> true;
            case REAL, DOUBLE, SHORT_TIME_WITH_TIME_ZONE, LONG_TIME_WITH_TIME_ZONE, SHORT_TIMESTAMP_WITH_TIME_ZONE,
                 LONG_TIMESTAMP_WITH_TIME_ZONE, LONG_TIMESTAMP, LONG_DECIMAL, SIXTEEN_BYTES, CHAR, NONE -> false;
        };
    }

    private List<Match> testValues(TestedValues values)
            throws IOException
    {
        ImmutableList.Builder<Match> matches = ImmutableList.builder();
        Slice bytes = read(list.pages(), new Span(0, list.pages().length()), "values of the index");
        for (Directory.Page page : readDirectory().pages(KeyRange.ALL)) {
            addMatches(page, bytes.slice(page.begin(), page.end() - page.begin()), KeyRange.ALL, key -> mayMatch(values, key), matches);
        }
        return matches.build();
    }

    private boolean mayMatch(TestedValues values, Slice key)
    {
        return orderKeys.isIntegral() ? values.mayMatchInteger(IndexKeys.value(key)) : values.mayMatch(key);
    }

    private Optional<RoaringBitmap> findPositions(List<Match> matches, boolean withNulls, int maxRows)
            throws IOException
    {
        List<Match> all = withNulls ? withNulls(matches) : matches;
        long rows = all.stream().mapToLong(Match::rows).sum();
        return rows > maxRows ? Optional.empty() : readPositions(all);
    }

    private AlbisDataException damaged(RuntimeException cause)
    {
        return file.invalid(DataFile.NO_SEGMENT, new IllegalArgumentException("the index is damaged: " + cause.getMessage(), cause));
    }

    private List<Match> withNulls(List<Match> matches)
    {
        return ImmutableList.<Match>builder()
                .add(new Match(0, list.nullsLength(), list.nulls()))
                .addAll(matches)
                .build();
    }

    private Optional<List<Match>> findValues(List<KeyRange> ranges, int maxRows)
            throws IOException
    {
        Directory directory = readDirectory();
        List<Span> parts = new ArrayList<>();
        long rows = 0;
        for (KeyRange range : ranges) {
            List<Directory.Page> pages = directory.pages(range);
            if (!pages.isEmpty()) {
                parts.add(new Span(pages.getFirst().begin(), pages.getLast().end()));
            }
            // the pages between the first and the last one have only values of the range
            if (pages.size() > 2) {
                rows += pages.getLast().rows() - pages.get(1).rows();
            }
        }
        if (parts.isEmpty()) {
            return Optional.of(ImmutableList.of());
        }
        Optional<List<Span>> requests = rows > maxRows ? Optional.empty() : Span.plan(parts);
        if (requests.isEmpty()) {
            return Optional.empty();
        }
        LoadedSpans values = load(list.pages(), requests.get(), "values of the index");
        ImmutableList.Builder<Match> matches = ImmutableList.builder();
        for (KeyRange range : ranges) {
            for (Directory.Page page : directory.pages(range)) {
                addMatches(page, values.part(page.begin(), page.end()), range, _ -> true, matches);
            }
        }
        return Optional.of(matches.build());
    }

    private Directory readDirectory()
            throws IOException
    {
        SliceInput input = read(list.directory(), new Span(0, list.directory().length()), "directory of the index").getInput();
        return Directory.read(orderKeys, list, input);
    }

    /**
     * Adds the values of a page that a range contains and that have a property.
     */
    private void addMatches(Directory.Page page, Slice bytes, KeyRange range, Predicate<Slice> property, ImmutableList.Builder<Match> matches)
    {
        SliceInput input = bytes.getInput();
        byte[] key = new byte[BytesValues.MAX_LENGTH];
        int position = page.positions();
        while (input.isReadable()) {
            int shared = VariableLengthIntegers.read(input);
            int suffix = VariableLengthIntegers.read(input);
            checkArgument((long) shared + suffix <= key.length, "a value has %s and %s bytes", shared, suffix);
            input.readBytes(key, shared, suffix);
            int rows = VariableLengthIntegers.read(input);
            int length = rows > 1 ? VariableLengthIntegers.read(input) : Integer.BYTES;
            checkArgument(length <= list.postings().length() - position, "the positions of a value have %s bytes", length);
            Slice value = Slices.wrappedBuffer(key, 0, shared + suffix);
            if (range.isBefore(orderKeys, value)) {
                return;
            }
            if (!range.isAfter(orderKeys, value) && property.test(value)) {
                matches.add(new Match(position, length, rows));
            }
            position += length;
        }
    }

    private Optional<RoaringBitmap> readPositions(List<Match> matches)
            throws IOException
    {
        RoaringBitmap found = new RoaringBitmap();
        if (matches.isEmpty()) {
            return Optional.of(found);
        }
        Optional<List<Span>> requests = Span.plan(matches.stream()
                .map(match -> new Span(match.begin(), match.end()))
                .toList());
        if (requests.isEmpty()) {
            return Optional.empty();
        }
        LoadedSpans positions = load(list.postings(), requests.get(), "positions of the index");
        for (Match match : matches) {
            Postings.addTo(found, positions.part(match.begin(), match.end()), match.rows(), rowGroupRows);
        }
        return Optional.of(found);
    }

    /**
     * The bytes of requests.
     */
    private record LoadedSpans(List<Span> spans, List<Slice> bytes)
    {
        Slice part(int begin, int end)
        {
            int span = 0;
            while (!spans.get(span).contains(begin, end)) {
                span++;
            }
            return bytes.get(span).slice(begin - spans.get(span).begin(), end - begin);
        }
    }

    private LoadedSpans load(StoredRange range, List<Span> spans, String part)
            throws IOException
    {
        ImmutableList.Builder<Slice> bytes = ImmutableList.builder();
        for (Span span : spans) {
            bytes.add(read(range, span, part));
        }
        return new LoadedSpans(spans, bytes.build());
    }

    private Slice read(StoredRange range, Span span, String part)
            throws IOException
    {
        return file.readPart(range.bytes(), range.offset(), span.begin(), span.end(), part);
    }
}
