package io.albis.benchmarks.workload;

import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static java.util.Objects.requireNonNull;

/**
 * A table of the catalog that the others are loaded from.
 */
public record SourceTable(String schema, String table)
{
    public SourceTable
    {
        requireNonNull(schema, "schema is null");
        requireNonNull(table, "table is null");
    }

    /**
     * Returns the name of the table with its catalog and schema.
     */
    public String name()
    {
        return "%s.%s.%s".formatted(SOURCE.catalogName(), schema, table);
    }

    /**
     * Returns the end of a statement that creates a table with all rows of this one.
     */
    public String copy()
    {
        return "AS SELECT * FROM " + name();
    }
}
