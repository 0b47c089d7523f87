package io.albis.trino.relation;

import io.albis.table.model.TableColumn;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;

import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNullElseGet;
import static java.util.stream.Collectors.joining;

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

    /**
     * Returns the error for a property or an argument that names a column that the table does not have.
     */
    static TrinoException missing(ErrorCodeSupplier errorCode, String property, String name, Collection<TableColumn> columns)
    {
        return new TrinoException(errorCode, "%s names column '%s', which the table does not have; its columns are: %s".formatted(
                property,
                name,
                columns.stream().map(TableColumn::name).collect(joining(", "))));
    }

    static String quoted(String name)
    {
        return PLAIN.matcher(name).matches() ? name : "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
