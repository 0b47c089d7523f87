package io.albis.format.index;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.albis.format.filter.TestedValues;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.PageChecksum;
import io.albis.format.request.DataFile;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.OrderKeys;
import io.trino.spi.predicate.Domain;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Finds the rows of a row group whose values a domain contains. A search reads the directory, the pages that may
 * contain values of the domain, and the positions of these values. Each step has limits, because a search that reads
 * more than the column takes longer than a scan. Not thread safe.
 */
public final class ValueListReader
{
    // A search of more ranges takes longer than a scan of the column
    private static final int MAX_RANGES = 1000;
    // A test of all values reads them with one request of this many bytes at most
    private static final int MAX_TESTED_BYTES = 1 << 20;
    // With fewer rows for each value, a test of the values takes longer than the engine needs for the rows
    private static final int MIN_ROWS_PER_TESTED_VALUE = 8;
    // The most bytes of each step, which are in memory at the same time
    private static final long MAX_BYTES = 1 << 22;

    private final DataFile file;
    private final ValueList list;
    private final String column;
    private final OrderKeys orderKeys;
    private final long rowGroupRows;
    private final int requestCost;
    // bytes that were read and are still in memory; other threads report them
    private final AtomicLong loadedBytes = new AtomicLong();

    /**
     * Creates a reader, which reads nothing yet.
     *
     * @param file the data file, which nothing else uses at the same time
     * @param rowGroupRows number of rows of the row group
     * @param requestCost the time of a request, in bytes that storage transfers in the same time
     */
    public ValueListReader(DataFile file, ValueList list, AlbisColumn column, long rowGroupRows, int requestCost)
    {
        this.file = requireNonNull(file, "file is null");
        this.list = requireNonNull(list, "list is null");
        this.column = column.name();
        this.orderKeys = OrderKeys.of(column.type());
        this.rowGroupRows = rowGroupRows;
        this.requestCost = requestCost;
    }

    /**
     * Returns the number of bytes of the directory, which a search reads first.
     */
    public int directoryBytes()
    {
        return list.directory().length();
    }

    /**
     * Returns whether a domain has few enough ranges, and the directory few enough bytes for a search.
     *
     * @param domain a domain that does not contain all values
     */
    public boolean canSearch(Domain domain)
    {
        return ranges(domain) <= MAX_RANGES && directoryBytes() <= MAX_BYTES;
    }

    /**
     * Returns whether a domain excludes so few single values that a search can find all rows that it does not contain.
     * The index does not have the rows with NaN, which only the domain of all values contains.
     *
     * @param domain a domain that does not contain all values
     */
    public boolean canExclude(Domain domain)
    {
        return (long) list.rows() + list.nulls() == rowGroupRows && ExcludedValues.count(domain).isPresent() && canSearch(domain.complement());
    }

    /**
     * Returns the number of bytes of all values.
     */
    public long valueBytes()
    {
        return list.pages().length();
    }

    /**
     * Returns an estimate of the bytes of the pages with the values of a domain that consists of single values.
     */
    public long valueBytes(Domain domain)
    {
        return Math.min(valueBytes(), (long) ranges(domain) * PageChecksum.PAGE_SIZE);
    }

    private static int ranges(Domain domain)
    {
        return domain.getValues().isNone() ? 0 : domain.getValues().getRanges().getRangeCount();
    }

    /**
     * Returns a number of rows that a domain contains at least, which is known without reading anything.
     *
     * @param domain a domain that does not contain all values
     */
    public int fewestRows(Domain domain)
    {
        // each of the distinct values has a row
        return Math.max(0, list.values() - ExcludedValues.count(domain).orElse(list.values()));
    }

    /**
     * Returns an estimate of the rows that a domain contains, to compare searches: all rows unless the domain consists
     * of single values, which are assumed to be as frequent as others.
     */
    public long expectedRows(Domain domain)
    {
        long rows = domain.isNullAllowed() ? list.nulls() : 0;
        if (!domain.getValues().isDiscreteSet()) {
            return rows + (domain.getValues().isNone() ? 0 : list.rows());
        }
        return rows + (long) ranges(domain) * list.rows() / Math.max(1, list.values());
    }

    /**
     * Reads the directory.
     *
     * @throws AlbisDataException if the index is damaged
     */
    public Directory readDirectory()
            throws IOException
    {
        Slice bytes = read(list.directory(), new Span(0, list.directory().length()), "directory");
        try {
            return new Directory(orderKeys, list, bytes);
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(e);
        }
    }

    /**
     * Finds the values that a domain contains.
     *
     * @param source provides the directory, which a search for nulls does not need
     * @param domain a domain that does not contain all values and that {@link #canSearch} accepts
     * @param maxRows the most rows that are of interest
     * @param maxBytes the most bytes to read
     * @return empty if there are more rows, or if the search would take too many bytes or requests
     * @throws AlbisDataException if the index is damaged
     */
    public Optional<FoundValues> findValues(DirectorySource source, Domain domain, int maxRows, long maxBytes)
            throws IOException
    {
        FoundValues found = new FoundValues(maxRows, (long) list.rows() + list.nulls());
        if (domain.isNullAllowed() && list.nulls() > 0 && !found.add(0, list.nullsLength(), list.nulls())) {
            return Optional.empty();
        }
        try {
            boolean complete = domain.getValues().isNone() || addValues(source.get(), KeyRanges.of(domain), found, maxRows, Math.min(maxBytes, MAX_BYTES));
            return complete ? Optional.of(found) : Optional.empty();
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(e);
        }
    }

    /**
     * Finds the values that may match a test. This reads all values of the index.
     *
     * @param source provides the directory
     * @param values tests of an index that {@link #canTest} accepts
     * @param maxRows the most rows that are of interest
     * @param maxBytes the most bytes to read
     * @return empty if there are more rows, or if the search would take too many bytes
     * @throws AlbisDataException if the index is damaged
     */
    public Optional<FoundValues> findValues(DirectorySource source, TestedValues values, int maxRows, long maxBytes)
            throws IOException
    {
        return findTested(source, values, true, maxRows, maxBytes);
    }

    /**
     * Finds the values that cannot match a test. This reads all values of the index.
     *
     * @param source provides the directory
     * @param values tests of an index that {@link #canTest} accepts
     * @param maxBytes the most bytes to read
     * @return empty if the search would take too many bytes
     * @throws AlbisDataException if the index is damaged
     */
    public Optional<FoundValues> findExcludedValues(DirectorySource source, TestedValues values, long maxBytes)
            throws IOException
    {
        return findTested(source, values, false, Integer.MAX_VALUE, maxBytes);
    }

    /**
     * Finds the values with a result of a test.
     */
    private Optional<FoundValues> findTested(DirectorySource source, TestedValues values, boolean result, int maxRows, long maxBytes)
            throws IOException
    {
        FoundValues found = new FoundValues(maxRows, (long) list.rows() + list.nulls());
        if (list.pages().length() > maxBytes) {
            return Optional.empty();
        }
        if (list.nulls() > 0 && values.mayMatch(null) == result && !found.add(0, list.nullsLength(), list.nulls())) {
            return Optional.empty();
        }
        Slice bytes = read(list.pages(), new Span(0, list.pages().length()), "values");
        try {
            Directory directory = source.get();
            int end = directory.endPage(KeyRange.ALL);
            for (int number = 0; number < end; number++) {
                Directory.Page page = directory.page(number);
                if (!addValues(page, bytes.slice(page.begin(), page.end() - page.begin()), KeyRange.ALL, key -> mayMatch(values, key) == result, found)) {
                    return Optional.empty();
                }
            }
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(e);
        }
        return Optional.of(found);
    }

    /**
     * Returns whether all values of the index can be tested, and whether this is faster than a test of the rows.
     */
    public boolean canTest()
    {
        boolean isFast = list.values() <= TestedValues.MAX_VALUES && list.pages().length() <= MAX_TESTED_BYTES && (long) list.values() * MIN_ROWS_PER_TESTED_VALUE <= list.rows();
        return isFast && hasValues();
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

    private boolean mayMatch(TestedValues values, Slice key)
    {
        return orderKeys.isIntegral() ? values.mayMatchInteger(IndexKeys.value(key)) : values.mayMatch(key);
    }

    /**
     * Returns the number of rows, including those without a value and those with NaN, which the index does not have.
     */
    public long rows()
    {
        return rowGroupRows;
    }

    /**
     * Adds the values of ranges.
     *
     * @return false if there are too many rows, bytes, or requests
     */
    private boolean addValues(Directory directory, List<KeyRange> ranges, FoundValues found, int maxRows, long maxBytes)
            throws IOException
    {
        List<Span> parts = new ArrayList<>();
        long rows = 0;
        for (KeyRange range : ranges) {
            int first = directory.firstPage(range);
            int last = directory.endPage(range) - 1;
            if (first <= last) {
                parts.add(new Span(directory.page(first).begin(), directory.page(last).end()));
            }
            // the pages between the first and the last one have only values of the range
            if (last - first > 1) {
                rows += directory.page(last).rows() - directory.page(first + 1).rows();
            }
        }
        if (parts.isEmpty()) {
            return true;
        }
        Optional<List<Span>> requests = rows > maxRows ? Optional.empty() : Span.plan(parts, maxBytes, requestCost);
        if (requests.isEmpty()) {
            return false;
        }
        LoadedSpans values = load(list.pages(), requests.get(), "values");
        for (KeyRange range : ranges) {
            int end = directory.endPage(range);
            for (int number = directory.firstPage(range); number < end; number++) {
                Directory.Page page = directory.page(number);
                if (!addValues(page, values.part(page.begin(), page.end()), range, _ -> true, found)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Adds the values of a page that a range contains and that have a property.
     *
     * @return false if there are too many rows
     */
    private boolean addValues(Directory.Page page, Slice bytes, KeyRange range, Predicate<Slice> property, FoundValues found)
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
                return true;
            }
            if (!range.isAfter(orderKeys, value) && property.test(value) && !found.add(position, length, rows)) {
                return false;
            }
            position += length;
        }
        return true;
    }

    /**
     * Reads the positions of values, including those of rows that are deleted.
     *
     * @param maxBytes the most bytes to read
     * @return empty if this would take too many bytes or requests
     * @throws AlbisDataException if the index is damaged
     */
    public Optional<RoaringBitmap> readPositions(FoundValues values, long maxBytes)
            throws IOException
    {
        RoaringBitmap found = new RoaringBitmap();
        if (values.size() == 0) {
            return Optional.of(found);
        }
        List<Span> parts = new ArrayList<>(values.size());
        for (int value = 0; value < values.size(); value++) {
            parts.add(values.span(value));
        }
        Optional<List<Span>> requests = Span.plan(parts, Math.min(maxBytes, MAX_BYTES), requestCost);
        if (requests.isEmpty()) {
            return Optional.empty();
        }
        LoadedSpans positions = load(list.postings(), requests.get(), "positions");
        try {
            for (int value = 0; value < values.size(); value++) {
                Span span = values.span(value);
                Postings.addTo(found, positions.part(span.begin(), span.end()), values.count(value), rowGroupRows);
            }
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(e);
        }
        return Optional.of(found);
    }

    /**
     * The bytes of requests, of which parts are taken in ascending order.
     */
    private static final class LoadedSpans
    {
        private final List<Span> spans;
        private final List<Slice> bytes;
        private int current;

        LoadedSpans(List<Span> spans, List<Slice> bytes)
        {
            this.spans = spans;
            this.bytes = bytes;
        }

        Slice part(int begin, int end)
        {
            while (current < spans.size() && !spans.get(current).contains(begin, end)) {
                current++;
            }
            checkArgument(current < spans.size(), "its parts are not in ascending order");
            return bytes.get(current).slice(begin - spans.get(current).begin(), end - begin);
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
        loadedBytes.addAndGet(span.end() - span.begin());
        return file.readPart(range.bytes(), range.offset(), span.begin(), span.end(), "%s of the index of column %s".formatted(part, column));
    }

    /**
     * Returns the number of bytes in memory that the steps since the last call of {@link #endStep} have read. Any
     * thread may call this.
     */
    public long loadedBytes()
    {
        return loadedBytes.get();
    }

    /**
     * Must be called when the caller does not use what it has read any more, apart from the results.
     */
    public void endStep()
    {
        loadedBytes.set(0);
    }

    private AlbisDataException damaged(RuntimeException e)
    {
        return file.invalid(DataFile.NO_SEGMENT, new IllegalArgumentException("the index of column %s is damaged: %s".formatted(column, e.getMessage()), e));
    }
}
