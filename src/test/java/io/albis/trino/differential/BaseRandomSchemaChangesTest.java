package io.albis.trino.differential;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.albis.trino.differential.SchemaModel.ModelColumn;
import io.albis.trino.differential.SchemaModel.ModelField;
import io.albis.trino.differential.SchemaModel.ValueKind;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random statements on a table whose columns change, and compares each of its versions, and the changes between
 * them, with a table of the memory connector. This class has the statements that
 * change or rewrite rows.
 */
abstract class BaseRandomSchemaChangesTest
        extends BaseRandomStatementsTest
{
    static final int ROWS = 500;

    // stands for a table in a query
    private static final String TABLE = "<TABLE>";

    BaseRandomSchemaChangesTest(String seedProperty, String table, int statements)
    {
        super(seedProperty, table, statements);
    }

    /**
     * A version of the table.
     *
     * @param table the table of the memory connector with the same rows
     * @param usedColumns by table property, the names of the columns in it, which cannot be dropped
     * @param projection a query that gives the rows of the version before the columns of this one; empty if the columns
     *         of both have nothing to do with each other
     */
    record Snapshot(SchemaModel schema, String table, Map<String, Set<String>> usedColumns, Optional<String> projection) {}

    abstract class SchemaRound
            extends Round
    {
        final Map<Long, Snapshot> snapshots = new TreeMap<>();
        final Map<String, Set<String>> usedColumns = new HashMap<>();
        SchemaModel schema = SchemaModel.INITIAL;
        private Optional<String> projection = Optional.empty();

        SchemaRound(long seed)
        {
            super(seed);
        }

        final long insert()
        {
            List<ModelColumn> named = schema.columns().stream()
                    .filter(column -> column.name().equals("id") || random.nextInt(3) > 0)
                    .toList();
            int first = random.nextInt(10 * ROWS);
            int count = 1 + random.nextInt(ROWS / 2);
            String source = "FROM UNNEST(sequence(%s, %s)) t (n)".formatted(first, first + count - 1);
            String all = schema.columns().stream()
                    .map(column -> named.contains(column) ? column.value("n") : "CAST(%s AS %s)".formatted(column.literal().orElse("NULL"), column.type()))
                    .collect(joining(", "));
            query(schema, "SELECT * FROM %s UNION ALL SELECT %s %s".formatted(expected(), all, source));
            String names = named.stream().map(ModelColumn::name).collect(joining(", "));
            String values = named.stream().map(column -> column.value("n")).collect(joining(", "));
            assertThat(execute("INSERT INTO %s (%s) SELECT %s %s".formatted(actual, names, values, source)).getUpdateCount()).hasValue(count);
            return count;
        }

        final long update()
        {
            Optional<ModelColumn> column = randomColumn();
            if (column.isEmpty()) {
                return 0;
            }
            String predicate = random.nextInt(3) == 0 ? "true" : predicate(schema);
            String value = column.get().value("id + 3");
            query(schema, "SELECT %s FROM %s".formatted(
                    String.join(", ", schema.select(other -> other.equals(column.get()) ? "IF(%s, %s, %s) AS %3$s".formatted(predicate, value, other.name()) : other.name())),
                    expected()));
            return execute("UPDATE %s SET %s = %s WHERE %s".formatted(actual, column.get().name(), value, predicate)).getUpdateCount().orElseThrow();
        }

        final long delete()
        {
            String predicate = predicate(schema);
            query(schema, "SELECT * FROM %s WHERE NOT coalesce(%s, false)".formatted(expected(), predicate));
            return execute("DELETE FROM %s WHERE %s".formatted(actual, predicate)).getUpdateCount().orElseThrow();
        }

        final long merge()
        {
            Optional<ModelColumn> column = randomColumn();
            if (column.isEmpty()) {
                return 0;
            }
            int first = random.nextInt(2 * ROWS);
            String source = "SELECT n FROM UNNEST(sequence(%s, %s)) t (n)".formatted(first, first + random.nextInt(ROWS));
            String deleted = "n % 3 = 0";
            String value = column.get().value("n + 5");
            String inserted = schema.values("n");
            List<String> merged = schema.select(other -> other.equals(column.get()) ? "IF(n IS NULL, t.%1$s, %2$s) AS %1$s".formatted(other.name(), value) : "t." + other.name());
            query(schema,
                    """
                    SELECT %1$s FROM %3$s t LEFT JOIN (%4$s) s ON t.id = s.n WHERE NOT coalesce(%5$s, false)
                    UNION ALL
                    SELECT %2$s FROM (%4$s) WHERE n NOT IN (SELECT id FROM %3$s)
                    """.formatted(String.join(", ", merged), inserted, expected(), source, deleted));
            return execute(
                    """
                    MERGE INTO %s t USING (%s) s ON t.id = s.n
                    WHEN MATCHED AND %s THEN DELETE
                    WHEN MATCHED THEN UPDATE SET %s = %s
                    WHEN NOT MATCHED THEN INSERT (%s) VALUES (%s)
                    """.formatted(
                            actual,
                            source,
                            deleted,
                            column.get().name(),
                            value,
                            String.join(", ", schema.select(ModelColumn::name)),
                            String.join(", ", schema.select(other -> other.value("n"))))).getUpdateCount().orElseThrow();
        }

        final long optimizeTable()
        {
            unchanged();
            if (random.nextBoolean()) {
                optimize(where());
                return 0;
            }
            List<ModelColumn> columns = schema.columns().stream()
                    .filter(column -> !column.kind().isNested())
                    .toList();
            String column = columns.get(random.nextInt(columns.size())).name();
            rewrite("optimize(sorted_by => ARRAY['%s%s'])".formatted(column, random.nextBoolean() ? "" : " DESC NULLS LAST"), where());
            return 0;
        }

        final long regroup()
        {
            unchanged();
            rewrite(RandomGrouping.call(random, schema.select(ModelColumn::name)), where());
            return 0;
        }

        /**
         * Returns a condition that selects row groups, or nothing.
         */
        private String where()
        {
            return random.nextBoolean() ? "" : "WHERE id >= " + random.nextInt(2 * ROWS);
        }

        /**
         * Afterwards, the versions that remain have the same rows.
         */
        final long expire()
        {
            unchanged();
            execute("ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s', retain_last => %s)".formatted(actual, 1 + random.nextInt(4)));
            snapshots.keySet().retainAll(expect("SELECT snapshot_id FROM " + actual.replaceFirst("[^.]+$", "\"$0\\$snapshots\"")).getOnlyColumnAsSet());
            return 0;
        }

        final long removeOrphanFiles()
        {
            unchanged();
            execute("ALTER TABLE %s EXECUTE remove_orphan_files(retention_threshold => '0s')".formatted(actual));
            return 0;
        }

        final long rollback()
        {
            List<Long> versions = List.copyOf(snapshots.keySet());
            long version = versions.get(random.nextInt(versions.size()));
            Snapshot snapshot = snapshots.get(version);
            replace(snapshot.schema(), "SELECT * FROM " + snapshot.table());
            execute("ALTER TABLE %s EXECUTE rollback_to_snapshot(%s)".formatted(actual, version));
            usedColumns.clear();
            usedColumns.putAll(snapshot.usedColumns());
            return 0;
        }

        final Optional<ModelColumn> randomColumn()
        {
            List<ModelColumn> columns = schema.columns().stream()
                    .filter(column -> !column.name().equals("id"))
                    .toList();
            return columns.isEmpty() ? Optional.empty() : Optional.of(columns.get(random.nextInt(columns.size())));
        }

        /**
         * Returns a predicate on a random column, which is often one with an index.
         */
        private String predicate(SchemaModel columns)
        {
            Set<String> indexed = usedColumns.getOrDefault("indexed_by", Set.of());
            ModelColumn column = columns.columns().stream()
                    .filter(candidate -> indexed.contains(candidate.name()) && random.nextBoolean())
                    .findFirst()
                    .orElseGet(() -> columns.columns().get(random.nextInt(columns.columns().size())));
            String number = String.valueOf(random.nextInt(50));
            if (column.kind() == ValueKind.ROW && random.nextInt(4) > 0) {
                ModelField field = column.fields().get(random.nextInt(column.fields().size()));
                return predicate("%s.%s".formatted(column.name(), field.name()), field.value(number));
            }
            String any = "element_at(%s, %s)".formatted(column.name(), random.nextBoolean() ? "1" : "-1");
            return switch (column.kind()) {
                // rows that contain nulls have no order
                case ROW -> column.name() + " IS NULL";
                case ARRAY -> random.nextBoolean() ? predicate(any, number) : predicate("cardinality(%s)".formatted(column.name()), String.valueOf(random.nextInt(4)));
                case ROWS -> random.nextBoolean() ? predicate("%s.%s".formatted(any, column.fields().getFirst().name()), column.fields().getFirst().value(number)) : predicate("cardinality(%s)".formatted(column.name()), String.valueOf(random.nextInt(4)));
                case MAP -> random.nextBoolean() ? predicate("element_at(%s, 'k')".formatted(column.name()), number) : "element_at(%s, 'n%s') IS NULL".formatted(column.name(), random.nextInt(3));
                default -> predicate(column.name(), column.value(number));
            };
        }

        private String predicate(String column, String value)
        {
            return switch (random.nextInt(5)) {
                case 0 -> column + " IS NULL";
                case 1 -> column + " = " + value;
                case 2 -> column + " > " + value;
                case 3 -> "%s <= %s AND id < %s".formatted(column, value, random.nextInt(ROWS));
                default -> "id %% %s = 0".formatted(2 + random.nextInt(5));
            };
        }

        /**
         * Creates the expected table of the next version, which has other columns and the same rows.
         *
         * @param select expressions for columns of the table
         * @param added expressions for other columns
         */
        final void next(SchemaModel columns, List<String> select, String... added)
        {
            List<String> expressions = select.isEmpty() ? columns.select(ModelColumn::name) : new ArrayList<>(select);
            List<String> all = new ArrayList<>(expressions);
            all.addAll(List.of(added));
            String query = "SELECT %s FROM (SELECT %s FROM %s)".formatted(String.join(", ", columns.select(ModelColumn::name)), String.join(", ", all), TABLE);
            query(columns, query.replace(TABLE, expected()));
            projection = Optional.of(query);
        }

        /**
         * Creates the expected table of the next version, which has the same columns and rows.
         */
        final void unchanged()
        {
            query(schema, "SELECT * FROM " + expected());
        }

        /**
         * Creates the expected table of the next version, which has other rows, but the same columns.
         */
        final void query(SchemaModel columns, String query)
        {
            nextExpected(query);
            schema = columns;
            projection = Optional.of("SELECT * FROM " + TABLE);
        }

        /**
         * Creates the expected table of the next version, which has other rows and columns.
         */
        final void replace(SchemaModel columns, String query)
        {
            query(columns, query);
            projection = Optional.empty();
        }

        @Override
        void compare()
        {
            compare(actual, schema, expected());
            compareComments();
            long version = newestVersion();
            // a statement that changes nothing creates no version
            Optional<String> versionProjection = snapshots.containsKey(version) ? snapshots.get(version).projection() : projection;
            snapshots.put(version, new Snapshot(schema, expected(), ImmutableMap.copyOf(usedColumns), versionProjection));
            List<Long> versions = List.copyOf(snapshots.keySet());
            long earlier = versions.get(random.nextInt(versions.size()));
            Snapshot snapshot = snapshots.get(earlier);
            compare("%s FOR VERSION AS OF %s".formatted(actual, earlier), snapshot.schema(), snapshot.table());
            compareChanges(earlier);
        }

        private void compareComments()
        {
            Map<Object, Object> comments = new HashMap<>();
            read("SHOW COLUMNS FROM " + actual).forEach(row -> comments.put(row.getField(0), row.getField(3)));
            Map<Object, Object> expected = new HashMap<>();
            schema.columns().forEach(column -> expected.put(column.name(), column.comment().orElse("")));
            assertThat(comments).isEqualTo(expected);
        }

        /**
         * Compares the changes since a version with the rows of the version, which get the columns of the last version.
         */
        private void compareChanges(long first)
        {
            long last = first;
            String before = snapshots.get(first).table();
            while (snapshots.containsKey(last + 1) && snapshots.get(last + 1).projection().isPresent()) {
                last++;
                before = snapshots.get(last).projection().orElseThrow().replace(TABLE, "(%s)".formatted(before));
            }
            Snapshot snapshot = snapshots.get(last);
            String[] name = actual.split("\\.");
            String changes = "(SELECT %s, _change_type FROM TABLE(%s.system.table_changes('%s', '%s', %s, %s)))".formatted(String.join(", ", snapshot.schema().select(ModelColumn::name)), name[0], name[1], name[2], first, last);
            Multiset<MaterializedRow> inserted = changedRows(snapshot.schema(), changes, "insert");
            Multiset<MaterializedRow> deleted = changedRows(snapshot.schema(), changes, "delete");
            assertThat(Multisets.sum(rows("(%s)".formatted(before), "true"), inserted)).as(changes).isEqualTo(Multisets.sum(rows(snapshot.table(), "true"), deleted));
        }

        private Multiset<MaterializedRow> changedRows(SchemaModel columns, String changes, String type)
        {
            return rows("(SELECT %s FROM %s WHERE _change_type = '%s')".formatted(String.join(", ", columns.select(ModelColumn::name)), changes, type), "true");
        }

        private void compare(String table, SchemaModel columns, String expected)
        {
            MaterializedResult all = read("SELECT * FROM " + table);
            assertThat(all.getColumnNames()).as(table).isEqualTo(columns.select(ModelColumn::name));
            assertThat(all.getTypes()).as(table).isEqualTo(expect("SELECT * FROM " + expected).getTypes());
            assertThat(rows(table, "true")).as(table).isEqualTo(rows(expected, "true"));
            String predicate = predicate(columns);
            assertThat(rows(table, predicate)).as(table + ": " + predicate).isEqualTo(rows(expected, predicate));
            assertThat(count(table, predicate)).as(table + ": " + predicate).isEqualTo(count(expected, predicate));
        }

        private Object count(String table, String predicate)
        {
            return read("SELECT count(*) FROM %s WHERE %s".formatted(table, predicate)).getOnlyValue();
        }
    }
}
