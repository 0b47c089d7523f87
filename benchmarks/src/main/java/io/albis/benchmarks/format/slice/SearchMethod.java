package io.albis.benchmarks.format.slice;

import io.albis.benchmarks.measure.Contender;

import static java.util.Locale.ENGLISH;

/**
 * The ways to find the rows of a range.
 */
public enum SearchMethod
        implements Contender
{
    /**
     * What Albis does now.
     */
    ALBIS_SCAN {
        @Override
        RangeSearch create(long[] values)
        {
            return new ColumnScan(values);
        }
    },
    BIT_SLICES {
        @Override
        RangeSearch create(long[] values)
        {
            return new BitSlices(values, new RankedValues(values));
        }
    },
    /**/;

    /**
     * Stores a row group in memory.
     *
     * @param values the values of its rows; at least one
     */
    abstract RangeSearch create(long[] values);

    @Override
    public String label()
    {
        return name().toLowerCase(ENGLISH);
    }

    @Override
    public boolean isAlbis()
    {
        return this == ALBIS_SCAN;
    }
}
