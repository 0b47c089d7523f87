package io.albis.trino.relation;

import com.google.common.collect.ImmutableSet;
import io.trino.spi.catalog.CatalogName;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * The tables that each running statement reads in all catalogs. Several catalogs can have the same warehouse, and a
 * statement can write to a table through one of them and read it through another one, perhaps by a view. The engine
 * tells the catalog that writes only about the reads of this catalog. All catalogs of a server share this object.
 */
public final class QueryReads
{
    private final ConcurrentMap<String, Set<Reader>> queries = new ConcurrentHashMap<>();

    /**
     * Returns the reads of a statement in one catalog.
     */
    public Reader begin(String queryId, CatalogName catalog)
    {
        Reader reader = new Reader(queryId, catalog);
        queries.merge(queryId, ImmutableSet.of(reader), (others, added) -> ImmutableSet.<Reader>builder().addAll(others).addAll(added).build());
        return reader;
    }

    /**
     * The versions of tables that a statement reads in one catalog.
     */
    public final class Reader
    {
        private final String queryId;
        private final CatalogName catalog;
        private final Set<ReadVersion> versions = ConcurrentHashMap.newKeySet();

        private Reader(String queryId, CatalogName catalog)
        {
            this.queryId = requireNonNull(queryId, "queryId is null");
            this.catalog = requireNonNull(catalog, "catalog is null");
        }

        void add(UUID table, long version)
        {
            versions.add(new ReadVersion(table, version));
        }

        /**
         * Returns the versions of a table that the statement has read in this catalog.
         */
        Set<Long> versions(UUID table)
        {
            return versions.stream()
                    .filter(version -> version.table().equals(table))
                    .map(ReadVersion::version)
                    .collect(toImmutableSet());
        }

        /**
         * Returns the versions of a table that the statement has read in other catalogs.
         */
        Set<Long> versionsElsewhere(UUID table)
        {
            return queries.getOrDefault(queryId, ImmutableSet.of()).stream()
                    .filter(reader -> !reader.catalog.equals(catalog))
                    .flatMap(reader -> reader.versions(table).stream())
                    .collect(toImmutableSet());
        }

        /**
         * Forgets these reads when the transaction of the catalog ends.
         */
        public void end()
        {
            queries.computeIfPresent(queryId, (_, readers) -> {
                Set<Reader> remaining = readers.stream()
                        .filter(reader -> reader != this)
                        .collect(toImmutableSet());
                return remaining.isEmpty() ? null : remaining;
            });
        }
    }

    private record ReadVersion(UUID table, long version) {}
}
