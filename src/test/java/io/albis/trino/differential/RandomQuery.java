package io.albis.trino.differential;

import static java.util.Objects.requireNonNull;

/**
 * A query on a table and a smaller one with the same columns, which have placeholders for names.
 *
 * @param exact whether it hands out the very values that are in the table. Else it may choose among equal ones: 0.0 and -0.0, the same
 *         instant in different zones
 */
record RandomQuery(String sql, boolean exact)
{
    static final String TABLE = "$TABLE";
    static final String SMALL = "$SMALL";

    RandomQuery
    {
        requireNonNull(sql, "sql is null");
    }

    String on(String table, String small)
    {
        return sql.replace(TABLE, table).replace(SMALL, small);
    }
}
