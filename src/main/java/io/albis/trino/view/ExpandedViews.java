package io.albis.trino.view;

import com.google.common.collect.Maps;
import io.albis.table.model.ViewDefinition;
import io.albis.table.version.AlbisTable;
import io.trino.spi.connector.SchemaTableName;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import static java.util.Comparator.comparing;

/**
 * The views whose definitions the engine has asked for in one transaction. It asks for each view whose query becomes
 * part of the query of a statement, but does not report which views these are.
 */
public class ExpandedViews
{
    private final ConcurrentMap<SchemaTableName, ViewDefinition> found = new ConcurrentHashMap<>();

    void add(AlbisTable view)
    {
        found.put(new SchemaTableName(view.schemaName(), view.tableName()), view.version().view().orElseThrow());
    }

    /**
     * Returns the definitions in the order of the names.
     *
     * @param except views that were not expanded
     */
    Map<SchemaTableName, ViewDefinition> without(Set<SchemaTableName> except)
    {
        Map<SchemaTableName, ViewDefinition> sorted = new TreeMap<>(comparing(SchemaTableName::getSchemaName).thenComparing(SchemaTableName::getTableName));
        sorted.putAll(Maps.filterKeys(found, name -> !except.contains(name)));
        return sorted;
    }
}
