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
 * Supplies the current predicate of a dynamic filter, without the domains that a reader cannot evaluate. A reader calls
 * it for each run of a few thousand rows, and gets the same object until the filter has narrowed. Like the page source
 * that it belongs to, it is not thread safe.
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
        // not equals, which would compare tens of thousands of values
        if (current != translated) {
            // not compacted, although its sets may be large, because ranges between the values would match many more
            // rows
            predicate = current
                    .filter((column, domain) -> column instanceof AlbisColumnHandle handle && RowFilters.isEnforceable(handle.type(), domain))
                    .transformKeys(column -> ((AlbisColumnHandle) column).toColumn());
            translated = current;
        }
        return predicate;
    }
}
