package io.albis.table.path;

import com.google.common.base.Strings;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Names of files that are numbered from 1: {@code <20 digits>.json}. An entry of a name may have a marker next to it,
 * {@code <20 digits>.view} for a table name, and {@code <20 digits>.renamed} for a schema name.
 */
public final class NumberedFiles
{
    private static final String SUFFIX = ".json";
    private static final String MARKER_SUFFIX = ".view";
    private static final String RENAMED_SUFFIX = ".renamed";
    private static final int DIGITS = 20;
    private static final Pattern NUMBER = Pattern.compile("\\d{%s}".formatted(DIGITS));
    // Numbers increase by one, so no number reaches this limit, and the sum of two numbers does not overflow
    private static final long MAX_NUMBER = Long.MAX_VALUE / 4;

    private NumberedFiles() {}

    public static String fileName(long number)
    {
        return digits(number) + SUFFIX;
    }

    /**
     * Returns the number in a file name, which is positive; empty if the name is not that of a numbered file.
     */
    public static OptionalLong number(String fileName)
    {
        return number(fileName, SUFFIX);
    }

    /**
     * Returns the name of the marker of an entry that refers to a view.
     */
    public static String markerName(long number)
    {
        return digits(number) + MARKER_SUFFIX;
    }

    /**
     * Returns the number in the name of a marker; empty if the file is not a marker.
     */
    public static OptionalLong markerNumber(String fileName)
    {
        return number(fileName, MARKER_SUFFIX);
    }

    /**
     * Returns the name of the marker of an entry with which a schema gets another name.
     */
    public static String renamedName(long number)
    {
        return digits(number) + RENAMED_SUFFIX;
    }

    /**
     * Returns the number in the name of such a marker; empty if the file is not one.
     */
    public static OptionalLong renamedNumber(String fileName)
    {
        return number(fileName, RENAMED_SUFFIX);
    }

    /**
     * Returns the same digits in each locale.
     */
    private static String digits(long number)
    {
        return Strings.padStart(Long.toString(number), DIGITS, '0');
    }

    private static OptionalLong number(String fileName, String suffix)
    {
        if (!fileName.endsWith(suffix)) {
            return OptionalLong.empty();
        }
        String digits = fileName.substring(0, fileName.length() - suffix.length());
        if (!NUMBER.matcher(digits).matches()) {
            return OptionalLong.empty();
        }
        try {
            long number = Long.parseLong(digits);
            return number > 0 && number < MAX_NUMBER ? OptionalLong.of(number) : OptionalLong.empty();
        }
        catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
