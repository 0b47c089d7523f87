package io.albis.trino.differential;

import static java.util.Objects.requireNonNull;

/**
 * A query on a table and a smaller one with the same columns. Placeholders represent the names of the tables.
 *
 * @param exact whether the result contains the exact values of the table. Otherwise the engine may choose among equal
 *         values, such as 0.0 and -0.0, or the same instant in different time zones
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
