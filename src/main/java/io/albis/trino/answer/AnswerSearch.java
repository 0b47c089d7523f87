package io.albis.trino.answer;

import io.albis.format.metadata.RowGroup;
import io.albis.table.model.ManifestEntry;
import io.albis.table.part.TablePart;
import io.albis.table.version.AlbisTable;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Sets.newIdentityHashSet;
import static io.albis.table.version.RowGroupPieces.MAX_MANIFESTS;
import static io.albis.table.version.RowGroupPieces.MIN_ROW_GROUPS;
import static io.albis.trino.config.PlanningLimits.MAX_ROW_GROUPS;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Finds the results of aggregate functions in the bounds and counts of the manifests of a table, as far as these decide
 * them. It reads only the other manifests, and of these only as many as it needs.
 */
final class AnswerSearch
{
    private final AlbisTable table;
    private final DecidedRows rows;
    private final Groups groups;
    // indexes of all manifests by what is known about them
    private final Map<TablePart, Integer> manifests = new IdentityHashMap<>();
    private final List<TablePart> undecided = new ArrayList<>();

    private long matching;

    AnswerSearch(AlbisTable table, DecidedRows rows, Groups groups)
    {
        this.table = requireNonNull(table, "table is null");
        this.rows = requireNonNull(rows, "rows is null");
        this.groups = requireNonNull(groups, "groups is null");
    }

    /**
     * Returns the results; empty if the metadata does not give the exact ones. Call this once.
     */
    Optional<Answers> find()
    {
        List<ManifestEntry> entries = table.version().manifests();
        for (int index = 0; index < entries.size(); index++) {
            TablePart manifest = TablePart.of(entries.get(index));
            manifests.put(manifest, index);
            undecided.add(manifest);
        }
        // a value of a later manifest may show that an earlier one is not needed
        if (!takeDecided() || !takeDecided() || undecidedRowGroups() > MAX_ROW_GROUPS) {
            return Optional.empty();
        }
        int minManifests = 1;
        while (!undecided.isEmpty()) {
            Set<TablePart> piece = nextPiece(minManifests);
            minManifests = min(2 * piece.size(), MAX_MANIFESTS);
            undecided.removeIf(piece::contains);
            if (!read(piece) || !takeDecided()) {
                // the other manifests are not read
                return Optional.empty();
            }
        }
        return groups.results().map(results -> new Answers(results, matching));
    }

    private long undecidedRowGroups()
    {
        long rowGroups = 0;
        for (TablePart manifest : undecided) {
            rowGroups += manifest.rowGroups();
        }
        return rowGroups;
    }

    /**
     * Adds the manifests that need not be read, and leaves out those without a row that matches.
     *
     * @return whether the results can still be found
     */
    private boolean takeDecided()
    {
        List<TablePart> remaining = new ArrayList<>();
        for (TablePart manifest : undecided) {
            if (!rows.mayBeIn(manifest)) {
                continue;
            }
            if (!groups.areDecidedBy(manifest)) {
                remaining.add(manifest);
            }
            else if (!add(manifest)) {
                return false;
            }
        }
        undecided.clear();
        undecided.addAll(remaining);
        return true;
    }

    /**
     * Returns the manifests that are read next at the same time. Each result gets those that it needs first.
     */
    private Set<TablePart> nextPiece(int minManifests)
    {
        Set<TablePart> piece = newIdentityHashSet();
        for (List<TablePart> order : groups.readingOrders(undecided)) {
            long rowGroups = 0;
            int count = 0;
            for (TablePart manifest : order) {
                if (count == MAX_MANIFESTS || (count >= minManifests && rowGroups >= MIN_ROW_GROUPS)) {
                    break;
                }
                piece.add(manifest);
                rowGroups += manifest.rowGroups();
                count++;
            }
        }
        return piece;
    }

    /**
     * @return whether the results can still be found
     */
    private boolean read(Set<TablePart> piece)
    {
        List<Integer> indexes = piece.stream()
                .map(manifests::get)
                .sorted()
                .collect(toImmutableList());
        for (RowGroup rowGroup : table.rowGroups(indexes)) {
            TablePart part = TablePart.of(rowGroup);
            if (rows.mayBeIn(part) && !add(part)) {
                return false;
            }
        }
        return true;
    }

    private boolean add(TablePart part)
    {
        matching += part.rowGroups();
        return groups.add(part);
    }
}
