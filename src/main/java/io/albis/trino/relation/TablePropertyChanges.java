package io.albis.trino.relation;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.albis.format.run.Compression;
import io.albis.table.alter.Change;
import io.albis.table.model.TableColumn;
import io.trino.spi.TrinoException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.albis.trino.config.AlbisTableProperties.COMPRESSION;
import static io.albis.trino.config.AlbisTableProperties.LOCATION;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Locale.ENGLISH;

/**
 * Makes the change of a table from the properties of {@code ALTER TABLE SET PROPERTIES}. Those that a table stores
 * apply to the rows that are written from then on, or to the conflicts of writes, so they can change at any time.
 */
public final class TablePropertyChanges
{
    private TablePropertyChanges() {}

    /**
     * Returns the change.
     *
     * @param properties values by name; empty to set the default of CREATE TABLE
     * @param columns columns of the table
     * @throws TrinoException with code NOT_SUPPORTED if a property cannot change
     */
    public static Change of(Map<String, Optional<Object>> properties, List<TableColumn> columns, ColumnGroupDefaults defaults)
    {
        return of(properties, columns, defaults, "TABLE");
    }

    /**
     * Returns the change of {@code ALTER MATERIALIZED VIEW SET PROPERTIES}, with the same parameters and exceptions.
     */
    public static Change ofMaterializedView(Map<String, Optional<Object>> properties, List<TableColumn> columns, ColumnGroupDefaults defaults)
    {
        return of(properties, columns, defaults, "MATERIALIZED VIEW");
    }

    private static Change of(Map<String, Optional<Object>> properties, List<TableColumn> columns, ColumnGroupDefaults defaults, String kind)
    {
        Set<String> fixed = Sets.difference(properties.keySet(), StoredTableProperties.names());
        if (!fixed.isEmpty()) {
            throw notSupported(ImmutableSortedSet.copyOf(fixed), kind);
        }
        ImmutableMap.Builder<String, Object> set = ImmutableMap.builder();
        properties.forEach((name, value) -> value.or(() -> defaultValue(name, defaults)).ifPresent(present -> set.put(name, present)));
        Map<String, String> stored = StoredTableProperties.write(set.buildOrThrow(), columns);
        return new Change.Properties(stored, Maps.filterKeys(properties, name -> !stored.containsKey(name)).keySet());
    }

    /**
     * Returns the value that CREATE TABLE stores for a property that is not set.
     */
    private static Optional<Object> defaultValue(String name, ColumnGroupDefaults defaults)
    {
        return name.equals(COMPRESSION) && defaults.compression() != Compression.NONE ? Optional.of(defaults.compression()) : Optional.empty();
    }

    private static TrinoException notSupported(Set<String> fixed, String kind)
    {
        String reason = fixed.contains(LOCATION) ? "A table stays in its folder" : "CREATE OR REPLACE %s replaces the columns, rows, and properties of a %s".formatted(kind, kind.toLowerCase(ENGLISH));
        return new TrinoException(NOT_SUPPORTED, "The following properties of a %s cannot be changed: %s. The properties that can are: %s. %s".formatted(
                kind.toLowerCase(ENGLISH),
                String.join(", ", fixed),
                String.join(", ", ImmutableSortedSet.copyOf(StoredTableProperties.names())),
                reason));
    }
}
