package io.albis.trino.answer;

import io.albis.format.metadata.RowGroup;
import io.trino.spi.expression.Constant;

import java.util.Optional;

/**
 * The result of an aggregate function over row groups, as far as it is known.
 */
sealed interface Answer
        permits ColumnExtreme, RowCount
{
    /**
     * Adds a row group of which a row may match.
     *
     * @return whether the result can still be found
     * @throws java.io.UncheckedIOException with an {@link io.albis.format.io.AlbisDataException} as its cause if the
     *         statistics of the row group are damaged
     */
    boolean add(RowGroup rowGroup);

    /**
     * Returns the result; empty if the statistics do not give the exact one.
     */
    Optional<Constant> result();
}
