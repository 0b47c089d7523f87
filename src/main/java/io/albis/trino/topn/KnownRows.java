package io.albis.trino.topn;

import io.albis.table.part.TablePart;
import io.trino.spi.predicate.Domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Rows that a scan certainly returns, of which it is known that they come no later than a value. As soon as there are
 * as many as the query needs, rows that come later than all of them are not needed.
 */
final class KnownRows
{
    private final TopNParts parts;
    private final BoundsOrder order;
    private final long rows;

    // rows of row groups that may still make the threshold stricter
    private List<Rows> known = new ArrayList<>();
    private Optional<Object> threshold = Optional.empty();

    /**
     * A number of rows that come no later than a value.
     */
    private record Rows(long count, Object last) {}

    /**
     * @param rows number of rows that the query needs
     */
    KnownRows(TopNParts parts, BoundsOrder order, long rows)
    {
        this.parts = requireNonNull(parts, "parts is null");
        this.order = requireNonNull(order, "order is null");
        this.rows = rows;
    }

    /**
     * Adds the rows of a row group that the scan returns.
     *
     * @param values the values that the row group may have
     */
    void add(TablePart rowGroup, Domain values)
    {
        add(rowGroup, values, known);
    }

    private void add(TablePart part, Domain values, List<Rows> list)
    {
        Optional<Object> last = values.getValues().isNone() ? Optional.empty() : order.lastValue(values);
        long count = last.isEmpty() ? 0 : parts.knownRows(part);
        if (count > 0) {
            list.add(new Rows(count, last.get()));
        }
    }

    /**
     * Returns a value that comes no earlier than as many rows as the query needs; empty if none is known.
     *
     * @param remaining parts of the table whose row groups were not added yet, and all of which the scan returns unless
     *         they are not needed
     */
    Optional<Object> threshold(List<TablePart> remaining)
    {
        List<Rows> all = new ArrayList<>(known);
        for (TablePart part : remaining) {
            add(part, parts.values(part), all);
        }
        all.sort((left, right) -> order.compareValues(left.last(), right.last()));
        long count = 0;
        for (Rows next : all) {
            // the sum could overflow with the row counts of damaged manifests
            count = next.count() >= rows - count ? rows : count + next.count();
            if (count == rows) {
                tighten(next.last());
                break;
            }
        }
        return threshold;
    }

    /**
     * What was known before remains true, and row groups with later rows cannot change it any more.
     */
    private void tighten(Object last)
    {
        if (threshold.isEmpty() || order.compareValues(last, threshold.get()) < 0) {
            threshold = Optional.of(last);
            known.removeIf(rows -> order.compareValues(rows.last(), last) > 0);
        }
    }
}
