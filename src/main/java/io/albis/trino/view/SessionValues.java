package io.albis.trino.view;

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

    private SessionValues() {}

    /**
     * Returns whether a query may have such values. A column or a text with such a name counts as one, too.
     */
    static boolean mayBeIn(String sql)
    {
        return NAMES.matcher(sql).find();
    }
}
