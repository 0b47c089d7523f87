package io.albis.trino.relation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNullElseGet;

/**
 * Names of columns in the texts of table properties. Names that are not plain have quotes, as in SQL.
 */
final class ColumnNames
{
    /**
     * A regular expression with two groups, one for a name without quotes and one for a name with quotes.
     */
    static final String PATTERN = "(?:(\\w+)|\"((?:[^\"]|\"\")++)\")";

    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]*");

    private ColumnNames() {}

    /**
     * Returns the name that the pattern has matched.
     *
     * @param group number of the first of the two groups
     */
    static String parse(Matcher matcher, int group)
    {
        return requireNonNullElseGet(matcher.group(group), () -> matcher.group(group + 1).replace("\"\"", "\"")).toLowerCase(ENGLISH);
    }

    static String quoted(String name)
    {
        return PLAIN.matcher(name).matches() ? name : "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
