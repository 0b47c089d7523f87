package io.albis.table.path;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Names of files that are numbered from 1: {@code <20 digits>.json}.
 */
public final class NumberedFiles
{
    private static final String SUFFIX = ".json";
    private static final Pattern FILE_NAME = Pattern.compile("\\d{20}\\.json");
    // Numbers increase by one, so no number reaches this limit, and the sum of two numbers does not overflow
    private static final long MAX_NUMBER = Long.MAX_VALUE / 4;

    private NumberedFiles() {}

    public static String fileName(long number)
    {
        return "%020d".formatted(number) + SUFFIX;
    }

    /**
     * Returns the number in a file name, which is positive; empty if the name is not that of a numbered file.
     */
    public static OptionalLong number(String fileName)
    {
        if (!FILE_NAME.matcher(fileName).matches()) {
            return OptionalLong.empty();
        }
        try {
            long number = Long.parseLong(fileName.substring(0, fileName.length() - SUFFIX.length()));
            return number > 0 && number < MAX_NUMBER ? OptionalLong.of(number) : OptionalLong.empty();
        }
        catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
