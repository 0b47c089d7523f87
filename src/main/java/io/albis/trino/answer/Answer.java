package io.albis.trino.answer;

import io.albis.table.part.TablePart;
import io.trino.spi.expression.Constant;

import java.util.Comparator;
import java.util.Optional;

/**
 * The result of an aggregate function over parts of a table, as far as it is known.
 */
sealed interface Answer
        permits ColumnExtreme, RowCount
{
    /**
     * Returns whether the statistics of a part of the table give all that the result needs of its rows, so that nothing
     * changes if the row groups of the part are added instead.
     */
    boolean isDecidedBy(TablePart part);

    /**
     * Adds a part of which a row may match.
     *
     * @return whether the result can still be found
     * @throws java.io.UncheckedIOException with an {@link io.albis.format.io.AlbisDataException} as its cause if the
     *         statistics of the part are damaged
     */
    boolean add(TablePart part);

    /**
     * Returns the order in which parts that are not decided should be read, so that few of them are.
     */
    Comparator<TablePart> readingOrder();

    /**
     * Returns the result; empty if the statistics do not give the exact one.
     */
    Optional<Constant> result();
}
