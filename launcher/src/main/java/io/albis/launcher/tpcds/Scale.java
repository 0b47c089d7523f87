package io.albis.launcher.tpcds;

import com.google.common.base.CharMatcher;

import java.util.Locale;

import static java.util.Objects.requireNonNull;

/**
 * The scale of the TPC-DS data set.
 *
 * @param schema name of the schema in the tpcds catalog: tiny, sf1, sf10
 */
public record Scale(String schema)
{
    public static final Scale TINY = new Scale("tiny");

    public Scale
    {
        requireNonNull(schema, "schema is null");
    }

    public static Scale parse(String text)
    {
        String scale = text.strip().toLowerCase(Locale.ENGLISH);
        if (scale.equals("tiny") || scale.equals("0.01")) {
            return TINY;
        }
        String number = scale.startsWith("sf") ? scale.substring(2) : scale;
        if (number.isEmpty() || number.length() > 6 || number.startsWith("0") || !CharMatcher.inRange('0', '9').matchesAllOf(number)) {
            throw new IllegalArgumentException("Not a scale: '%s'. A scale is tiny (10 MB) or a number of gigabytes, such as 1 or 10".formatted(text));
        }
        return new Scale("sf" + number);
    }

    /**
     * Returns the name of the schema in the albis catalog.
     */
    public String target()
    {
        return "tpcds_" + schema;
    }

    @Override
    public String toString()
    {
        return schema;
    }
}
