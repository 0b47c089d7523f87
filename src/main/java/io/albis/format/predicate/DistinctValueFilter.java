package io.albis.format.predicate;

import io.albis.format.column.ColumnReader;
import io.albis.format.filter.TestedValues;
import io.albis.format.index.DirectorySource;
import io.albis.format.index.FoundValues;
import io.albis.format.index.ValueListReader;

import java.io.IOException;
import java.util.Optional;

/**
 * Selects the rows whose values may match a test, where the distinct values of a column are stored. It discards no row
 * of other segments, because a test of each row is slower than the engine, which evaluates the predicate again.
 */
public final class DistinctValueFilter
        extends ColumnFilter
{
    private final TestedValues values;

    public DistinctValueFilter(ColumnTest test, ColumnReader column)
    {
        super(test.column(), column, test.values().newFilter());
        this.values = test.values();
    }

    @Override
    public boolean isSearchable()
    {
        return true;
    }

    /**
     * After the last test, all values of an index that are not known may match, so it is not read.
     */
    @Override
    public boolean canSearch(ValueListReader index)
    {
        return index.canTest() && !values.isExhausted();
    }

    @Override
    public Optional<FoundValues> findValues(ValueListReader index, DirectorySource directory, int maxRows, long maxBytes)
            throws IOException
    {
        return index.findValues(directory, values, maxRows, maxBytes);
    }

    /**
     * Returns how an index finds the values that cannot match. Those for which the test fails are not among them.
     */
    @Override
    public Optional<RowExclusion> exclusion(ValueListReader index)
    {
        if (!canSearch(index)) {
            return Optional.empty();
        }
        return Optional.of(new RowExclusion(false, 0, index.valueBytes(), (directory, maxBytes) -> index.findExcludedValues(directory, values, maxBytes)));
    }

    @Override
    public Object shared()
    {
        return values;
    }

    @Override
    public boolean mayDrop(int segment, int rows)
            throws IOException
    {
        return column().storesDistinctValues(segment);
    }

    @Override
    public long claim(Object reader)
    {
        return values.claim(reader);
    }

    @Override
    public void release(Object reader)
    {
        values.release(reader);
    }
}
