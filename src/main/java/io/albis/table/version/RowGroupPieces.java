package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.ManifestEntry;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.function.UnaryOperator;

import static java.util.Objects.requireNonNull;

/**
 * Finds the row groups of a scan piece by piece, so that the first ones are read before all of them are known, and a
 * scan that needs few rows looks for few row groups. Implementations are not thread-safe.
 */
public interface RowGroupPieces
{
    /**
     * The number of row groups that a piece should have at least if all of them are needed. A small manifest has a
     * single one, so it is not read alone.
     */
    long MIN_ROW_GROUPS = 100;

    /**
     * The number of manifests that are read at the same time at most.
     */
    int MAX_MANIFESTS = 32;

    /**
     * Returns whether all row groups were returned or left out.
     */
    boolean isFinished();

    /**
     * Returns the next row groups, which can be none although others follow. The counts are those of the manifests and
     * row groups since the last call.
     *
     * @param predicate excludes manifests by their bounds. The bounds of the row groups may still exclude it
     * @throws IllegalStateException if the scan is finished
     * @throws java.io.UncheckedIOException with an {@link io.albis.format.io.AlbisDataException} as its cause if a
     *         manifest is damaged, or with another IOException if the storage fails
     */
    ManifestSelection next(TupleDomain<AlbisColumn> predicate);

    /**
     * Returns manifests that were not read yet and of which {@link #next} returns all row groups unless a predicate
     * excludes them. A scan that leaves out row groups for other reasons, or does not know them, returns none.
     */
    default List<ManifestEntry> remaining()
    {
        return ImmutableList.of();
    }

    /**
     * Leaves out the remaining row groups, which count as pruned.
     */
    ManifestSelection skip();

    /**
     * Returns a scan that changes each piece of this one, and does not know how many row groups remain of a manifest.
     */
    default RowGroupPieces map(UnaryOperator<ManifestSelection> change)
    {
        requireNonNull(change, "change is null");
        RowGroupPieces scan = this;
        return new RowGroupPieces()
        {
            @Override
            public boolean isFinished()
            {
                return scan.isFinished();
            }

            @Override
            public ManifestSelection next(TupleDomain<AlbisColumn> predicate)
            {
                return change.apply(scan.next(predicate));
            }

            @Override
            public ManifestSelection skip()
            {
                return scan.skip();
            }
        };
    }
}
