package io.albis.trino.view;

import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimeWithTimeZoneType;
import io.trino.spi.type.Type;

import java.util.Collection;
import java.util.Set;
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
    // types and operators to which a time of day gets the date or the offset of the session's zone on that date, and
    // texts of times with an offset, to whose type the engine casts times that are compared with them
    private static final Pattern DATED = Pattern.compile("\\b(timestamp|zone|at\\s+local)\\b|:\\d\\d[^']*[+-]\\s*\\d", CASE_INSENSITIVE);

    private SessionValues() {}

    /**
     * Returns whether a query may have such values. A column or a text with such a name counts as one, too. A time of
     * day becomes a timestamp with the current date, or a time in a zone with the offset of this date.
     *
     * @param sql text of the query, and of the views that it uses
     * @param types types of the columns of the tables that the query reads
     */
    static boolean mayBeIn(String sql, Set<Type> types)
    {
        if (NAMES.matcher(sql).find()) {
            return true;
        }
        boolean local = has(types, TimeType.class) || TIME.matcher(sql).find();
        boolean zoned = has(types, TimeWithTimeZoneType.class);
        return (local && zoned) || ((local || zoned) && DATED.matcher(sql).find());
    }

    private static boolean has(Collection<Type> types, Class<? extends Type> wanted)
    {
        return types.stream().anyMatch(type -> wanted.isInstance(type) || has(type.getTypeParameters(), wanted));
    }
}
