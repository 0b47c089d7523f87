package io.albis.trino.view;

import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimeWithTimeZoneType;
import io.trino.spi.type.Type;

import java.util.regex.Pattern;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

/**
 * The values in a query that are not the same for each session, such as the current time and user. The engine does not
 * report those in a subquery or in the query of a view.
 */
final class SessionValues
{
    private static final Pattern NAMES = Pattern.compile(
            "\\b(current_(date|time|timestamp|timezone|user|role|groups|catalog|schema|path)|localtime|localtimestamp|now\"?\\s*\\()(?!\\w)",
            CASE_INSENSITIVE);

    // not TIME ZONE, which most queries with instants have
    private static final Pattern TIME = Pattern.compile("\\btime\\b(?!\\s+zone\\b)", CASE_INSENSITIVE);
    // types and operators to which a time of day gets the date or the offset of the session's zone on that date
    private static final Pattern DATED = Pattern.compile("\\b(timestamp|zone|at\\s+local)\\b", CASE_INSENSITIVE);

    private SessionValues() {}

    /**
     * Returns whether a query may have such values. A column or a text with such a name counts as one, too.
     *
     * @param sql text of the query, and of the views that it uses
     * @param times whether the query reads a table with times of day, which are cast to timestamps of the current date
     */
    static boolean mayBeIn(String sql, boolean times)
    {
        return NAMES.matcher(sql).find() || ((times || TIME.matcher(sql).find()) && DATED.matcher(sql).find());
    }

    /**
     * Returns whether values of a type are or contain times of day.
     */
    static boolean hasTimes(Type type)
    {
        return type instanceof TimeType || type instanceof TimeWithTimeZoneType || type.getTypeParameters().stream().anyMatch(SessionValues::hasTimes);
    }
}
