package io.albis.trino.history;

import com.google.common.collect.HashBiMap;
import com.google.common.collect.Multiset;
import io.albis.trino.history.Alteration.DropColumn;
import io.albis.trino.history.Alteration.RenameColumn;
import io.albis.trino.history.Write.SetColumn;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The columns that were added to a table, by the names that they have when a statement commits. Others may have renamed
 * them since it began.
 */
final class AddedColumns
{
    private final Optional<Version> current;
    private final List<Version> bases;

    /**
     * @param current the version before the commit
     * @param bases versions that the statement may have read
     */
    AddedColumns(Optional<Version> current, List<Version> bases)
    {
        this.current = current;
        this.bases = bases;
    }

    private Optional<Map<String, Long>> names()
    {
        return current.flatMap(version -> Optional.ofNullable(version.added));
    }

    /**
     * Returns whether it is known which column a statement changes.
     */
    boolean areKnown(Write write)
    {
        return switch (write) {
            case SetColumn _ -> names().isPresent() && bases.stream().allMatch(base -> base.added != null);
            case DropColumn drop -> names().isPresent() && names().get().containsKey(drop.column());
            case RenameColumn rename -> names().isPresent() && names().get().containsKey(rename.column());
            default -> true;
        };
    }

    /**
     * Returns the statement with each name that its column may have now.
     */
    Set<Write> named(Write write)
    {
        if (!(write instanceof SetColumn set)) {
            return Set.of(write);
        }
        Set<Write> named = new HashSet<>();
        for (Version base : bases) {
            Long column = base.added.get(set.column());
            String name = column == null ? null : HashBiMap.create(names().orElseThrow()).inverse().get(column);
            if (name != null) {
                named.add(new SetColumn(set.table(), name, set.range(), set.writer()));
            }
        }
        return named;
    }

    /**
     * Returns the rows of a version with the present names of the columns.
     */
    Optional<Multiset<Row>> rename(Version base)
    {
        if (base.added == null || names().isEmpty()) {
            return base.rows.filter(rows -> rows.stream().allMatch(row -> row.added().isEmpty()));
        }
        Map<Long, String> present = HashBiMap.create(names().get()).inverse();
        return base.rows.map(rows -> Model.map(rows, row -> row.renameAdded(column -> present.get(base.added.get(column)))));
    }
}
