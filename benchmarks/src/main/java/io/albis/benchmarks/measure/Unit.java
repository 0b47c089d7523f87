package io.albis.benchmarks.measure;

import static java.util.Locale.ENGLISH;

/**
 * What a figure counts, and how a table shows it.
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
     * Of what goes on and on, such as values in a second.
     */
    MILLIONS("M") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%,.1f", value / 1e6);
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
    BYTES("MB") {
        @Override
        public String format(double value)
        {
            return String.format(ENGLISH, "%,.1f", value / 1e6);
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
     * Without the symbol, which stands at the head of a column.
     */
    public abstract String format(double value);
}
