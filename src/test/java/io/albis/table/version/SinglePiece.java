package io.albis.table.version;

import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.TupleDomain;

import java.util.function.Function;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * A scan of row groups with a single piece.
 */
public final class SinglePiece
        implements RowGroupPieces
{
    private final Function<TupleDomain<AlbisColumn>, ManifestSelection> loader;
    private boolean finished;

    /**
     * @param loader returns all row groups that a predicate does not exclude; called at most once
     */
    public SinglePiece(Function<TupleDomain<AlbisColumn>, ManifestSelection> loader)
    {
        this.loader = requireNonNull(loader, "loader is null");
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public ManifestSelection next(TupleDomain<AlbisColumn> predicate)
    {
        checkState(!finished, "the scan is finished");
        finished = true;
        return loader.apply(predicate);
    }

    @Override
    public ManifestSelection skip()
    {
        finished = true;
        return ManifestSelection.NONE;
    }
}
