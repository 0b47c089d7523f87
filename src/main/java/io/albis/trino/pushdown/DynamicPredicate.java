package io.albis.trino.pushdown;

import io.albis.format.filter.RowFilters;
import io.albis.format.schema.AlbisColumn;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.predicate.TupleDomain;
import jakarta.annotation.Nullable;

import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * What a dynamic filter says by now, as far as a reader can evaluate it. It is asked for each run of a few thousand rows:
 * the same object comes back until the filter has narrowed. Not thread safe, as the page source that it belongs to.
 */
public final class DynamicPredicate
        implements Supplier<TupleDomain<AlbisColumn>>
{
    private final DynamicFilter filter;

    @Nullable
    private TupleDomain<ColumnHandle> translated;
    private TupleDomain<AlbisColumn> predicate = TupleDomain.all();

    public DynamicPredicate(DynamicFilter filter)
    {
        this.filter = requireNonNull(filter, "filter is null");
    }

    @Override
    public TupleDomain<AlbisColumn> get()
    {
        TupleDomain<ColumnHandle> current = filter.getCurrentPredicate();
        // not equals: that compares tens of thousands of values
        if (current != translated) {
            // whole, although its sets may be large: the ranges between the values would let many rows through
            predicate = current
                    .filter((column, domain) -> column instanceof AlbisColumnHandle handle && RowFilters.isEnforceable(handle.type(), domain))
                    .transformKeys(column -> ((AlbisColumnHandle) column).toColumn());
            translated = current;
        }
        return predicate;
    }
}
