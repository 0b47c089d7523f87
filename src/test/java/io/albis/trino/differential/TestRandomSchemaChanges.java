package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.TestTier;
import io.albis.trino.differential.SchemaModel.ModelColumn;
import io.albis.trino.differential.SchemaModel.ValueKind;
import io.trino.testing.MaterializedResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random changes of the columns, the rows, and the properties of a table, and maintenance, and compares each of
 * its versions with a table of the memory connector.
 */
final class TestRandomSchemaChanges
        extends BaseRandomStatementsTest
{
    private static final int ROWS = 500;

    TestRandomSchemaChanges()
    {
        super("schema-changes.seed", "evolution", TestTier.isComplete() ? 8 : 5);
    }

    @Override
    Round createRound(long seed)
    {
        return new SchemaChanges(seed);
    }

    @Test
    void testRandomStatements()
    {
        run(1);
    }

    @Test
    @Tag("slow")
    void testManyRandomStatements()
    {
        run(10);
    }

    /**
     * A version of the table.
     *
     * @param table the table of the memory connector with the same rows
     * @param usedColumns by table property, the names of the columns in it, which cannot be dropped
     */
    private record Snapshot(SchemaModel schema, String table, Map<String, Set<String>> usedColumns) {}

    private final class SchemaChanges
            extends Round
    {
        private final Map<Long, Snapshot> snapshots = new TreeMap<>();
        private final Map<String, Set<String>> usedColumns = new HashMap<>();
        private SchemaModel schema = SchemaModel.INITIAL;
        private int names;

        SchemaChanges(long seed)
        {
            super(seed);
        }

        @Override
        String firstRows()
        {
            return "SELECT %s FROM UNNEST(sequence(0, %s)) t (n)".formatted(schema.values("n"), ROWS - 1);
        }

        @Override
        String properties()
        {
            String groups = switch (random.nextInt(4)) {
                case 0 -> "column_groups = ARRAY[ARRAY['id', 'a'], ARRAY['b', 'c']], ";
                case 1 -> "column_groups = ARRAY[ARRAY['c', 'id'], ARRAY['b', 'a']], column_group_layouts = ARRAY['row', 'block'], ";
                case 2 -> "layout = 'row', ";
                default -> "";
            };
            return "WITH (%s%srow_group_rows = %s, segment_size = '%skB')".formatted(groups, random.nextBoolean() ? randomProperty() + ", " : "", 50 + random.nextInt(ROWS), 1 << random.nextInt(8));
        }

        @Override
        long statement()
        {
            return switch (random.nextInt(25)) {
                case 0, 1, 2 -> addColumn();
                case 3 -> dropColumn();
                case 4 -> renameColumn();
                case 5, 6 -> setType();
                case 7 -> setDefault();
                case 8, 9 -> insert();
                case 10, 11 -> update();
                case 12 -> delete();
                case 13, 14 -> merge();
                case 15, 16 -> optimizeTable();
                case 17, 18 -> regroup();
                case 19, 20 -> setProperty();
                case 21, 22 -> changeIndex();
                case 23 -> expire();
                default -> rollback();
            };
        }

        /**
         * Returns a table property with columns.
         */
        private String randomProperty()
        {
            String property = List.of("partitioned_by", "sorted_by", "indexed_by").get(random.nextInt(3));
            List<ModelColumn> columns = schema.columns().stream()
                    .filter(column -> property.equals("partitioned_by") ? partition(column).isPresent() : !column.kind().isNested())
                    .toList();
            ModelColumn column = columns.get(random.nextInt(columns.size()));
            usedColumns.put(property, Set.of(column.name()));
            String element = switch (property) {
                case "partitioned_by" -> partition(column).orElseThrow();
                case "sorted_by" -> column.name() + (random.nextBoolean() ? "" : " DESC NULLS FIRST");
                default -> column.name();
            };
            return "%s = ARRAY['%s']".formatted(property, element);
        }

        /**
         * Returns a function of a column that has few values.
         */
        private static Optional<String> partition(ModelColumn column)
        {
            return switch (column.kind()) {
                case INTEGER, NUMBER, DECIMAL, TEXT, CHARACTERS, DATE -> Optional.of("bucket(%s, 3)".formatted(column.name()));
                case TIMESTAMP -> Optional.of("month(%s)".formatted(column.name()));
                case BOOLEAN -> Optional.of(column.name());
                case FLOAT, ROW, ARRAY, ROWS, MAP -> Optional.empty();
            };
        }

        private long setProperty()
        {
            query(schema, "SELECT * FROM " + expected());
            List<String> used = List.copyOf(usedColumns.keySet());
            if (!used.isEmpty() && random.nextBoolean()) {
                String property = used.get(random.nextInt(used.size()));
                usedColumns.remove(property);
                execute("ALTER TABLE %s SET PROPERTIES %s = DEFAULT".formatted(actual, property));
            }
            else {
                execute("ALTER TABLE %s SET PROPERTIES %s".formatted(actual, randomProperty()));
            }
            return 0;
        }

        private long changeIndex()
        {
            List<ModelColumn> columns = schema.columns().stream()
                    .filter(column -> !column.kind().isNested())
                    .toList();
            String column = columns.get(random.nextInt(columns.size())).name();
            query(schema, "SELECT * FROM " + expected());
            Set<String> indexed = new HashSet<>(usedColumns.getOrDefault("indexed_by", Set.of()));
            boolean drop = indexed.contains(column);
            rewrite("%s(columns => ARRAY['%s'])".formatted(drop ? "drop_index" : "add_index", column), "");
            if (drop) {
                indexed.remove(column);
            }
            else {
                indexed.add(column);
            }
            usedColumns.put("indexed_by", indexed);
            return 0;
        }

        /**
         * Afterwards, the versions that remain have the same rows.
         */
        private long expire()
        {
            query(schema, "SELECT * FROM " + expected());
            execute("ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s', retain_last => %s)".formatted(actual, 1 + random.nextInt(4)));
            snapshots.keySet().retainAll(expect("SELECT snapshot_id FROM " + actual.replaceFirst("[^.]+$", "\"$0\\$snapshots\"")).getOnlyColumnAsSet());
            return 0;
        }

        private long addColumn()
        {
            ValueKind kind = ValueKind.values()[random.nextInt(ValueKind.values().length)];
            String type = kind.types().get(random.nextInt(kind.types().size()));
            Optional<String> literal = !kind.isNested() && random.nextBoolean() ? Optional.of(kind.literal(random.nextInt(50))) : Optional.empty();
            boolean nullable = literal.isEmpty() || random.nextBoolean();
            ModelColumn column = new ModelColumn("c" + names++, kind, type, literal);
            int index = random.nextInt(schema.columns().size() + 1);
            String place = index == 0 ? "FIRST" : "AFTER " + schema.columns().get(index - 1).name();
            next(schema.withAdded(index, column), schema.select(ModelColumn::name), "CAST(%s AS %s) AS %s".formatted(literal.orElse("NULL"), type, column.name()));
            execute("ALTER TABLE %s ADD COLUMN %s %s%s%s %s".formatted(
                    actual,
                    column.name(),
                    type,
                    literal.map(value -> " DEFAULT " + value).orElse(""),
                    nullable ? "" : " NOT NULL",
                    index == schema.columns().size() - 1 && random.nextBoolean() ? "" : place));
            return 0;
        }

        private long dropColumn()
        {
            // the id remains
            Optional<ModelColumn> column = randomColumn();
            if (column.isEmpty() || schema.columns().size() == 2 || usedColumns.values().stream().anyMatch(columns -> columns.contains(column.get().name()))) {
                return 0;
            }
            next(schema.without(column.get()), ImmutableList.of());
            execute("ALTER TABLE %s DROP COLUMN %s".formatted(actual, column.get().name()));
            return 0;
        }

        private long renameColumn()
        {
            Optional<ModelColumn> column = randomColumn();
            if (column.isEmpty()) {
                return 0;
            }
            String name = "c" + names++;
            next(schema.replace(column.get(), column.get().withName(name)), schema.select(other -> other.equals(column.get()) ? other.name() + " AS " + name : other.name()));
            execute("ALTER TABLE %s RENAME COLUMN %s TO %s".formatted(actual, column.get().name(), name));
            usedColumns.replaceAll((_, columns) -> columns.stream().map(used -> used.equals(column.get().name()) ? name : used).collect(toImmutableSet()));
            return 0;
        }

        private long setType()
        {
            Optional<ModelColumn> column = randomColumn();
            if (column.isEmpty()) {
                return 0;
            }
            List<String> types = column.get().kind().types();
            int current = types.indexOf(column.get().type());
            String type = types.get(current + random.nextInt(types.size() - current));
            next(schema.replace(column.get(), column.get().withType(type)), schema.select(other -> other.equals(column.get()) ? "%s AS %s".formatted(other.converted(type), other.name()) : other.name()));
            execute("ALTER TABLE %s ALTER COLUMN %s SET DATA TYPE %s".formatted(actual, column.get().name(), type));
            return 0;
        }

        private long setDefault()
        {
            Optional<ModelColumn> column = randomColumn();
            if (column.isEmpty() || column.get().kind().isNested()) {
                return 0;
            }
            boolean drop = column.get().literal().isPresent() && random.nextBoolean();
            Optional<String> literal = drop ? Optional.empty() : Optional.of(column.get().kind().literal(random.nextInt(50)));
            next(schema.replace(column.get(), column.get().withLiteral(literal)), schema.select(ModelColumn::name));
            if (drop) {
                // A NOT NULL column without a default value could not be left out of INSERT
                execute("ALTER TABLE %s ALTER COLUMN %s DROP DEFAULT".formatted(actual, column.get().name()));
                dropNotNull(column.get());
                return 0;
            }
            execute("ALTER TABLE %s ALTER COLUMN %s SET DEFAULT %s".formatted(actual, column.get().name(), literal.orElseThrow()));
            return 0;
        }

        private void dropNotNull(ModelColumn column)
        {
            String[] name = actual.split("\\.");
            String nullable = (String) expect("SELECT is_nullable FROM %s.information_schema.columns WHERE table_schema = '%s' AND table_name = '%s' AND column_name = '%s'".formatted(name[0], name[1], name[2], column.name())).getOnlyValue();
            if (nullable.equals("NO")) {
                execute("ALTER TABLE %s ALTER COLUMN %s DROP NOT NULL".formatted(actual, column.name()));
            }
        }

        private long insert()
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

        private long update()
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

        private long delete()
        {
            String predicate = predicate(schema);
            query(schema, "SELECT * FROM %s WHERE NOT coalesce(%s, false)".formatted(expected(), predicate));
            return execute("DELETE FROM %s WHERE %s".formatted(actual, predicate)).getUpdateCount().orElseThrow();
        }

        private long merge()
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

        private long optimizeTable()
        {
            optimize("");
            return 0;
        }

        private long regroup()
        {
            rewrite(RandomGrouping.call(random, schema.select(ModelColumn::name)), "");
            return 0;
        }

        private long rollback()
        {
            List<Long> versions = List.copyOf(snapshots.keySet());
            long version = versions.get(random.nextInt(versions.size()));
            Snapshot snapshot = snapshots.get(version);
            query(snapshot.schema(), "SELECT * FROM " + snapshot.table());
            execute("ALTER TABLE %s EXECUTE rollback_to_snapshot(%s)".formatted(actual, version));
            usedColumns.clear();
            usedColumns.putAll(snapshot.usedColumns());
            return 0;
        }

        private Optional<ModelColumn> randomColumn()
        {
            List<ModelColumn> columns = schema.columns().stream()
                    .filter(column -> !column.name().equals("id"))
                    .toList();
            return columns.isEmpty() ? Optional.empty() : Optional.of(columns.get(random.nextInt(columns.size())));
        }

        private String predicate(SchemaModel columns)
        {
            ModelColumn column = columns.columns().get(random.nextInt(columns.columns().size()));
            String number = String.valueOf(random.nextInt(50));
            if (column.kind() == ValueKind.ROW && random.nextInt(4) > 0) {
                String field = column.fields().get(random.nextInt(column.fields().size()));
                return predicate("%s.%s".formatted(column.name(), field), ModelColumn.fieldValue(field, number));
            }
            String any = "element_at(%s, %s)".formatted(column.name(), random.nextBoolean() ? "1" : "-1");
            return switch (column.kind()) {
                // rows that contain nulls have no order
                case ROW -> column.name() + " IS NULL";
                case ARRAY -> random.nextBoolean() ? predicate(any, number) : predicate("cardinality(%s)".formatted(column.name()), String.valueOf(random.nextInt(4)));
                case ROWS -> random.nextBoolean() ? predicate(any + ".x", number) : predicate("cardinality(%s)".formatted(column.name()), String.valueOf(random.nextInt(4)));
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
         * @param select expressions for columns of the table
         * @param added expressions for other columns
         */
        private void next(SchemaModel columns, List<String> select, String... added)
        {
            List<String> expressions = select.isEmpty() ? columns.select(ModelColumn::name) : new ArrayList<>(select);
            List<String> all = new ArrayList<>(expressions);
            all.addAll(List.of(added));
            query(columns, "SELECT %s FROM (SELECT %s FROM %s)".formatted(String.join(", ", columns.select(ModelColumn::name)), String.join(", ", all), expected()));
        }

        private void query(SchemaModel columns, String query)
        {
            nextExpected(query);
            schema = columns;
        }

        @Override
        void compare()
        {
            compare(actual, schema, expected());
            long version = newestVersion();
            snapshots.put(version, new Snapshot(schema, expected(), ImmutableMap.copyOf(usedColumns)));
            List<Long> versions = List.copyOf(snapshots.keySet());
            long earlier = versions.get(random.nextInt(versions.size()));
            Snapshot snapshot = snapshots.get(earlier);
            compare("%s FOR VERSION AS OF %s".formatted(actual, earlier), snapshot.schema(), snapshot.table());
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
