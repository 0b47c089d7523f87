package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.trino.spi.connector.RetryMode;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A run of the procedure regroup, and the table that it reads.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param table the version of the table that the statement reads, with the predicate that selects row groups
 * @param target the table with the new column groups
 * @param all whether all selected row groups are written again, rather than only those with other column groups
 */
public record RegroupHandle(HandleBuild build, AlbisTableHandle table, AlbisWritableTableHandle target, boolean all, RetryMode retryMode)
        implements RewriteHandle
{
    @JsonCreator
    public RegroupHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(table, "table is null");
        requireNonNull(target, "target is null");
        requireNonNull(retryMode, "retryMode is null");
    }

    public RegroupHandle(AlbisTableHandle table, AlbisWritableTableHandle target, boolean all, RetryMode retryMode)
    {
        this(HandleBuild.CURRENT, table, target, all, retryMode);
    }

    @Override
    public RegroupHandle withTable(AlbisTableHandle table)
    {
        return new RegroupHandle(build, table, target, all, retryMode);
    }

    /**
     * Returns what EXPLAIN shows, with the new column groups as an argument of the procedure.
     */
    @Override
    public String toString()
    {
        Map<Integer, String> names = target.columns().stream().collect(toImmutableMap(AlbisColumnHandle::id, AlbisColumnHandle::name));
        return "regroup:%s column_groups => %s".formatted(table, array(target.columnGroups(), group -> array(group.columns(), column -> literal(names.get(column)))));
    }

    private static <T> String array(List<T> elements, Function<T, String> text)
    {
        return elements.stream().map(text).collect(joining(", ", "ARRAY[", "]"));
    }

    private static String literal(String name)
    {
        return "'" + name.replace("'", "''") + "'";
    }
}
