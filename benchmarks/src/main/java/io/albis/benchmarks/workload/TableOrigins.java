package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.Builds;
import io.trino.testing.MaterializedRow;

import java.util.List;
import java.util.Optional;

import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static io.albis.benchmarks.server.Builds.putText;
import static java.util.Objects.requireNonNull;

/**
 * What has written a table: a build of a connector, with a statement. A table has this text as its comment, so that it
 * is wherever the table is, and is replaced together with the table. Tables outlive builds, and the files of one that
 * another build has written say nothing about the writer of this one.
 */
public record TableOrigins(BenchmarkServer server)
{
    private static final int ID_LENGTH = 16;

    public TableOrigins
    {
        requireNonNull(server, "server is null");
    }

    /**
     * Returns the origin of a table that this build writes with a statement.
     *
     * @param definition what CREATE TABLE has after the name
     * @param source table that the rows come from; empty if a generator makes them
     */
    public String of(BenchmarkCatalog catalog, String definition, Optional<SourceTable> source)
    {
        // If the rows of the source have changed, so have those of its copies
        String ofSource = source.flatMap(table -> read(SOURCE.catalogName(), table.schema(), table.table())).orElse("");
        return of(catalog, definition, ofSource);
    }

    /**
     * Returns the origin of a table that this build writes.
     *
     * @param definition any text that is another one if the rows or the properties of the table are other ones
     * @param source the origin of the table that the rows come from, or an empty text
     */
    public static String of(BenchmarkCatalog catalog, String definition, String source)
    {
        Hasher hasher = Hashing.sha256().newHasher();
        ImmutableSortedMap.copyOf(catalog.settings()).forEach((name, value) -> {
            putText(hasher, name);
            putText(hasher, value);
        });
        putText(hasher, definition);
        putText(hasher, source);
        return "Written by %sTrino %s with statement %s".formatted(
                catalog.isAlbis() ? "Albis, classes %s, on ".formatted(Builds.albisClasses()) : "",
                Builds.trino(),
                hasher.hash().toString().substring(0, ID_LENGTH));
    }

    /**
     * Returns the origin of an existing table.
     *
     * @return empty if there is no such table, or if it does not say where it is from
     */
    public Optional<String> read(String catalog, String schema, String table)
    {
        List<MaterializedRow> comments = server.execute("system", "metadata", "SELECT comment FROM table_comments WHERE catalog_name = '%s' AND schema_name = '%s' AND table_name = '%s'".formatted(catalog, schema, table)).getMaterializedRows();
        return comments.isEmpty() ? Optional.empty() : Optional.ofNullable((String) comments.getFirst().getField(0));
    }
}
