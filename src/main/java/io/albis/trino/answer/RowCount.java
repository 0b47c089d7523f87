package io.albis.trino.answer;

import io.albis.format.schema.AlbisColumn;
import io.albis.table.part.TablePart;
import io.trino.spi.expression.Constant;

import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;

import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;

/**
 * Counts the matching rows of parts of a table, or those in which a column is not null.
 */
final class RowCount
        implements Answer
{
    private final Optional<AlbisColumn> column;
    private final DecidedRows rows;

    private long count;

    /**
     * @param column the column that is not null in the counted rows; empty to count all rows
     */
    RowCount(Optional<AlbisColumn> column, DecidedRows rows)
    {
        this.column = requireNonNull(column, "column is null");
        this.rows = requireNonNull(rows, "rows is null");
    }

    @Override
    public boolean isDecidedBy(TablePart part)
    {
        return count(part).isPresent();
    }

    private OptionalLong count(TablePart part)
    {
        return column.map(counted -> rows.countValues(part, counted))
                .orElseGet(() -> rows.count(part));
    }

    @Override
    public boolean add(TablePart part)
    {
        OptionalLong added = count(part);
        // the sum of the rows of a version does not overflow, but that of damaged manifests could
        if (added.isEmpty() || added.getAsLong() > Long.MAX_VALUE - count) {
            return false;
        }
        count += added.getAsLong();
        return true;
    }

    /**
     * All parts that are not decided must be read.
     */
    @Override
    public Comparator<TablePart> readingOrder()
    {
        return (_, _) -> 0;
    }

    @Override
    public Optional<Constant> result()
    {
        return Optional.of(new Constant(count, BIGINT));
    }
}
