package io.albis.trino.topn;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.part.TablePart;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.RowGroupPieces;
import io.albis.trino.topn.BoundsOrder.Place;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.config.PlanningLimits.MAX_ROW_GROUPS;
import static java.util.Objects.requireNonNull;

/**
 * Orders the row groups of each piece of a scan by the bounds of a sort key. It leaves out row groups, and manifests
 * without reading them, that come later than enough rows of others.
 */
public final class TopNScan
        implements RowGroupPieces
{
    private final RowGroupPieces scan;
    private final TopNParts parts;
    private final BoundsOrder order;
    private final Optional<KnownRows> known;

    /**
     * @param scan reads manifests in the order of their bounds
     * @param countsRows whether the scan returns all rows that match the predicate; otherwise, no row group is left out
     */
    public TopNScan(RowGroupPieces scan, TopNParts parts, boolean countsRows)
    {
        this.scan = requireNonNull(scan, "scan is null");
        this.parts = requireNonNull(parts, "parts is null");
        this.order = parts.order();
        this.known = countsRows ? Optional.of(parts.newKnownRows()) : Optional.empty();
    }

    private record Ordered(RowGroup rowGroup, Domain values, Place place) {}

    @Override
    public boolean isFinished()
    {
        return scan.isFinished();
    }

    @Override
    public ManifestSelection next(TupleDomain<AlbisColumn> predicate)
    {
        TupleDomain<AlbisColumn> needed = needed()
                .map(domain -> TupleDomain.withColumnDomains(ImmutableMap.of(parts.column(), domain)))
                .orElse(TupleDomain.all());
        ManifestSelection piece = scan.next(predicate.intersect(needed));
        // the engine would wait for the order of so many row groups
        if (piece.rowGroups().size() > MAX_ROW_GROUPS) {
            return piece;
        }
        return select(piece);
    }

    private ManifestSelection select(ManifestSelection piece)
    {
        List<Ordered> ordered = new ArrayList<>(piece.rowGroups().size());
        for (RowGroup rowGroup : piece.rowGroups()) {
            TablePart part = TablePart.of(rowGroup);
            Domain values = parts.values(part);
            known.ifPresent(rows -> rows.add(part, values));
            ordered.add(new Ordered(rowGroup, values, order.place(values)));
        }
        ordered.sort((left, right) -> order.compare(left.place(), right.place()));
        Optional<Domain> needed = needed();
        ImmutableList.Builder<RowGroup> remaining = ImmutableList.builder();
        long dropped = 0;
        for (Ordered next : ordered) {
            if (needed.isPresent() && !next.values().overlaps(needed.get())) {
                dropped++;
            }
            else {
                remaining.add(next.rowGroup());
            }
        }
        return new ManifestSelection(remaining.build(), piece.manifests(), piece.prunedManifests(), piece.prunedRowGroups() + dropped);
    }

    /**
     * Returns the values of the sort key that rows may have that the query still needs; empty if it may need all.
     */
    private Optional<Domain> needed()
    {
        return known.flatMap(rows -> rows.threshold(scan.remaining().stream()
                        .map(TablePart::of)
                        .collect(toImmutableList())))
                .map(order::notAfter);
    }

    @Override
    public ManifestSelection skip()
    {
        return scan.skip();
    }
}
