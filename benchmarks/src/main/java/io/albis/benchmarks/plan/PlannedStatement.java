package io.albis.benchmarks.plan;

import com.google.common.collect.ImmutableSet;

import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * A query whose plans are compared.
 *
 * @param tables names of all tables of the schema
 */
public record PlannedStatement(String name, String schema, String sql, Set<String> tables)
{
    public PlannedStatement
    {
        requireNonNull(name, "name is null");
        requireNonNull(schema, "schema is null");
        requireNonNull(sql, "sql is null");
        tables = ImmutableSet.copyOf(tables);
    }
}
