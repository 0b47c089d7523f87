package io.albis.benchmarks.measure;

import static java.util.Locale.ENGLISH;

/**
 * The unit of a figure and its format in tables.
 */
public enum Unit
{
    COUNT("") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%,.0f", value);
        }
    },
    /**
     * The unit of rates, such as values per second.
     */
    MILLIONS("M") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%,.1f", value / 1e6);
        }
    },
    /**
     * The unit of the papers for the rate of a scan. Values are in bits per second.
     */
    GIGABITS("Gbit/s") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%,.1f", value / 1e9);
        }
    },
    NANOSECONDS("s") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%.3f", value / 1e9);
        }
    },
    SHORT_NANOSECONDS("ms") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%,.3f", value / 1e6);
        }
    },
    /**
     * The unit of figures of one row, stored in thousandths.
     */
    THOUSANDTHS("") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%,.1f", value / 1e3);
        }
    },
    /**
     * The unit of figures of one row that are often less than 1, stored in thousandths.
     */
    SHORT_THOUSANDTHS("") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%,.3f", value / 1e3);
        }
    },
    BYTES("MB") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%,.1f", value / 1e6);
        }
    },
    /**
     * The unit of what a single statement writes, which may be little.
     */
    KILOBYTES("kB") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%,.1f", value / 1e3);
        }
    },
    /**
     * The unit of rates that are stored in thousandths.
     */
    PER_SECOND("1/s") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%,.1f", value / 1e3);
        }
    };

    private final String symbol;

    Unit(String symbol)
    {
        this.symbol = symbol;
    }

    public String symbol()
    {
        return symbol;
    }

    /**
     * Formats a value without the symbol, which is part of the column header.
     */
    public abstract String format(double value);
}
