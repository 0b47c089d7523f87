package io.albis.trino.split;

import io.airlift.units.DataSize;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.partition.RowGroupPredicate;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.RowGroupPieces;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.TopN;
import io.albis.trino.metadata.AlbisMetadata;
import io.albis.trino.sample.RowGroupSample;
import io.albis.trino.topn.TopNParts;
import io.albis.trino.topn.TopNPushdown;
import io.albis.trino.topn.TopNScan;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * Finds the row groups that a scan needs because of its alternatives, its sample, its limit, or its order.
 */
public final class NeededRowGroups
        implements Supplier<RowGroupPieces>
{
    /**
     * The number of rows up to which one reader finds the rows of a query with LIMIT in a row group soon. It is the
     * maximum number of rows of a segment.
     */
    private static final long FEW_ROWS = 65_536;

    private final AlbisMetadata metadata;
    private final AlbisTableHandle handle;
    private final RowGroupPredicate matching;
    private final List<List<RowGroupPredicate>> alternatives;
    private final boolean hasDynamicFilter;

    /**
     * @param predicate the whole predicate that the reader evaluates, and not a simplified one
     * @param alternatives a row group is needed only if its bounds and its partition overlap one predicate of each
     *         list
     * @param hasDynamicFilter whether a dynamic filter removes rows; it is not known how many
     */
    public NeededRowGroups(AlbisMetadata metadata, AlbisTableHandle handle, TupleDomain<AlbisColumnHandle> predicate, List<List<TupleDomain<AlbisColumn>>> alternatives, boolean hasDynamicFilter)
    {
        this.metadata = requireNonNull(metadata, "metadata is null");
        this.handle = requireNonNull(handle, "handle is null");
        this.matching = new RowGroupPredicate(predicate.transformKeys(AlbisColumnHandle::toColumn));
        this.alternatives = alternatives.stream()
                .map(branches -> branches.stream()
                        .map(RowGroupPredicate::new)
                        .collect(toImmutableList()))
                .collect(toImmutableList());
        this.hasDynamicFilter = hasDynamicFilter;
    }

    @Override
    public RowGroupPieces get()
    {
        if (handle.topN().isPresent()) {
            return ordered(handle.topN().get());
        }
        if (!hasKnownLimit()) {
            return pieces(RowGroupPieces.MIN_ROW_GROUPS);
        }
        // the rows of a single row group may be enough
        return new LimitedScan(pieces(1), handle.limit().getAsLong(), matching);
    }

    private RowGroupPieces pieces(long minRowGroups)
    {
        return sampled(metadata.scan(handle, minRowGroups).map(this::overlapping));
    }

    /**
     * Returns the size on storage above which a row group has several splits. If a few rows of it are enough, only one
     * reader starts.
     */
    ToLongFunction<RowGroup> maxSplitBytes(DataSize size)
    {
        long bytes = size.toBytes();
        if (!hasKnownLimit() || handle.limit().getAsLong() > FEW_ROWS) {
            return _ -> bytes;
        }
        return rowGroup -> translate(() -> matching.containsAll(rowGroup)) ? Long.MAX_VALUE : bytes;
    }

    private boolean hasKnownLimit()
    {
        return handle.limit().isPresent() && !hasDynamicFilter;
    }

    private ManifestSelection overlapping(ManifestSelection selection)
    {
        if (alternatives.isEmpty()) {
            return selection;
        }
        List<RowGroup> overlapping = selection.rowGroups().stream()
                .filter(rowGroup -> translate(() -> overlapsAll(rowGroup)))
                .collect(toImmutableList());
        return new ManifestSelection(
                overlapping,
                selection.manifests(),
                selection.prunedManifests(),
                selection.prunedRowGroups() + selection.rowGroups().size() - overlapping.size());
    }

    private boolean overlapsAll(RowGroup rowGroup)
    {
        return alternatives.stream()
                .allMatch(branches -> branches.stream().anyMatch(branch -> branch.overlaps(rowGroup)));
    }

    private RowGroupPieces sampled(RowGroupPieces scan)
    {
        return handle.sample().isEmpty() ? scan : scan.map(new RowGroupSample(handle.sample().getAsDouble(), () -> ThreadLocalRandom.current().nextDouble())::apply);
    }

    private RowGroupPieces ordered(TopN topN)
    {
        TopNParts parts = new TopNParts(topN, TopNPushdown.mayBeNaN(handle, topN), matching);
        return new TopNScan(sampled(metadata.scan(handle, RowGroupPieces.MIN_ROW_GROUPS, parts.manifestOrder())), parts, !hasDynamicFilter);
    }
}
