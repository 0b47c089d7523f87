package io.albis.table.row;

import com.google.common.collect.Maps;
import io.albis.format.type.FieldTree;
import io.albis.format.type.FieldTree.Field;
import io.albis.format.type.NestedKind;
import io.albis.format.type.Widening;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;

/**
 * Decides whether the rows of one version of a table can be read with the columns of a later one. A column that was
 * added between the versions does not prevent this, because all rows have its initial value.
 */
final class ComparableColumns
{
    private ComparableColumns() {}

    /**
     * @param version version with the rows
     * @param end version with the columns
     * @throws TableException NOT_SUPPORTED if the versions have no column in common, if a column has another type
     *         that cannot be read as the type in {@code end}, or if the version lacks a column that a rollback has
     *         restored. Its entries may have lost the files with the values.
     */
    static void check(AlbisTable table, TableVersion version, TableVersion end)
    {
        Map<Integer, TableColumn> columns = Maps.uniqueIndex(version.columns(), TableColumn::id);
        boolean common = false;
        for (TableColumn column : end.columns()) {
            TableColumn same = columns.get(column.id());
            if (same == null) {
                continue;
            }
            common = true;
            if (!isReadable(tree(same), tree(column))) {
                throw new TableException(
                        NOT_SUPPORTED,
                        "Column '%s' of table '%s.%s' has the type %s in version %s. It cannot be read as %s, its type in version %s",
                        column.name(),
                        table.schemaName(),
                        table.tableName(),
                        same.type().getDisplayName(),
                        version.version(),
                        column.type().getDisplayName(),
                        end.version());
            }
        }
        if (!common) {
            throw new TableException(
                    NOT_SUPPORTED,
                    "Versions %s and %s of table '%s.%s' have no column in common, because the table was replaced, or its columns were dropped",
                    version.version(),
                    end.version(),
                    table.schemaName(),
                    table.tableName());
        }
        checkNotRestored(table, version, end, columns.keySet());
    }

    private static void checkNotRestored(AlbisTable table, TableVersion version, TableVersion end, Set<Integer> columnIds)
    {
        for (TableColumn column : end.columns()) {
            if (!columnIds.contains(column.id()) && column.id() <= version.lastColumnId()) {
                throw new TableException(
                        NOT_SUPPORTED,
                        "Version %s of table '%s.%s' does not have column '%s', and a rollback has restored the column up to version %s",
                        version.version(),
                        table.schemaName(),
                        table.tableName(),
                        column.name(),
                        end.version());
            }
        }
    }

    private static FieldTree tree(TableColumn column)
    {
        return new FieldTree(column.type(), column.fields());
    }

    private static boolean isReadable(FieldTree from, FieldTree to)
    {
        if (from.equals(to)) {
            return true;
        }
        Optional<NestedKind> kind = NestedKind.of(to.type());
        if (!NestedKind.of(from.type()).equals(kind)) {
            return false;
        }
        if (kind.isEmpty()) {
            return from.type().equals(to.type()) || Widening.find(from.type(), to.type()).isPresent();
        }
        List<Field> fields = from.children();
        for (Field field : to.children()) {
            for (Field same : fields) {
                if (same.id() == field.id() && !isReadable(same.tree(), field.tree())) {
                    return false;
                }
            }
        }
        return true;
    }
}
