package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.differential.RandomOptions.Option;
import io.albis.trino.differential.SchemaModel.ModelColumn;
import io.albis.trino.differential.SchemaModel.ValueKind;
import io.trino.Session;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.AlbisQueryRunner.SCHEMA;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Runs random changes of the columns and the rows of a table, and compares its versions with tables of the memory
 * connector. That has no such statements, so each statement creates a new table from the previous one.
 */
@TestInstance(PER_CLASS)
final class TestRandomSchemaChanges
{
    private static final String SEED = "schema-changes.seed";
    private static final int STATEMENTS = 16;
    private static final int ROWS = 500;

    private QueryRunner queryRunner;
    private RandomOptions options;

    @BeforeAll
    void start()
            throws Exception
    {
        queryRunner = AlbisQueryRunner.builder()
                .setWorkerCount(1)
                .build();
        options = new RandomOptions(queryRunner);
    }

    @AfterAll
    void stop()
    {
        queryRunner.close();
    }

    @Test
    void testRandomStatements()
    {
        testRandomStatements(3);
    }

    @Test
    @Tag("slow")
    void testManyRandomStatements()
    {
        testRandomStatements(40);
    }

    private void testRandomStatements(int rounds)
    {
        String seed = System.getProperty(SEED);
        long firstSeed = seed == null ? new Random().nextLong() : Long.parseLong(seed);
        for (int round = 0; round < (seed == null ? rounds : 1); round++) {
            new Round(firstSeed + round).run();
        }
    }

    /**
     * A version of the table.
     *
     * @param table the table of the memory connector with the same rows
     */
    private record Snapshot(SchemaModel schema, String table) {}

    private final class Round
    {
        private final Random random;
        private final List<String> log = new ArrayList<>();
        private final String actual;
        private final String expectedPrefix;
        private final Map<Long, Snapshot> snapshots = new TreeMap<>();
        private SchemaModel schema = SchemaModel.INITIAL;
        private int expectedNumber;
        private int names;
        private Session session = queryRunner.getDefaultSession();

        Round(long seed)
        {
            random = new Random(seed);
            log.add("-D%s=%s".formatted(SEED, seed));
            actual = "%s.%s.evolution_%s".formatted(CATALOG, SCHEMA, Long.toUnsignedString(seed));
            expectedPrefix = "memory.default.evolution_%s_".formatted(Long.toUnsignedString(seed));
        }

        void run()
        {
            try {
                queryRunner.execute("CREATE TABLE %s AS SELECT %s FROM UNNEST(sequence(0, %s)) t (n)".formatted(expected(), schema.values("n"), ROWS - 1));
                execute("CREATE TABLE %s %s AS SELECT * FROM %s".formatted(actual, properties(), expected()));
                compare();
                for (int i = 0; i < STATEMENTS; i++) {
                    List<Option> reading = new ArrayList<>(options.reading(random));
                    reading.add(new Option(CATALOG + ".update_rewrite_threshold", random.nextBoolean() ? "0" : String.valueOf(random.nextDouble())));
                    reading.forEach(option -> log.add(option.toSql()));
                    session = Option.apply(reading, queryRunner.getDefaultSession());
                    statement();
                    compare();
                }
            }
            catch (RuntimeException | AssertionError e) {
                throw new AssertionError(String.join("\n", log), e);
            }
            finally {
                queryRunner.execute("DROP TABLE IF EXISTS " + actual);
                for (int number = 0; number <= expectedNumber; number++) {
                    queryRunner.execute("DROP TABLE IF EXISTS " + expectedPrefix + number);
                }
            }
        }

        private String expected()
        {
            return expectedPrefix + expectedNumber;
        }

        private String properties()
        {
            String groups = switch (random.nextInt(4)) {
                case 0 -> "column_groups = ARRAY[ARRAY['id', 'a'], ARRAY['b', 'c']], ";
                case 1 -> "column_groups = ARRAY[ARRAY['c', 'id'], ARRAY['b', 'a']], column_group_layouts = ARRAY['row', 'block'], ";
                case 2 -> "layout = 'row', ";
                default -> "";
            };
            return "WITH (%srow_group_rows = %s, segment_size = '%skB')".formatted(groups, 50 + random.nextInt(ROWS), 1 << random.nextInt(8));
        }

        private void statement()
        {
            switch (random.nextInt(14)) {
                case 0, 1, 2 -> addColumn();
                case 3 -> dropColumn();
                case 4 -> renameColumn();
                case 5, 6 -> setType();
                case 7 -> setDefault();
                case 8, 9 -> insert();
                case 10, 11 -> update();
                case 12 -> delete();
                default -> rollback();
            }
        }

        private void addColumn()
        {
            ValueKind kind = ValueKind.values()[random.nextInt(ValueKind.values().length)];
            String type = kind.types().get(random.nextInt(kind.types().size()));
            Optional<String> literal = random.nextBoolean() ? Optional.of(kind.literal(random.nextInt(50))) : Optional.empty();
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
        }

        private void dropColumn()
        {
            // the id remains
            Optional<ModelColumn> column = randomColumn();
            if (column.isEmpty() || schema.columns().size() == 2) {
                return;
            }
            next(schema.without(column.get()), ImmutableList.of());
            execute("ALTER TABLE %s DROP COLUMN %s".formatted(actual, column.get().name()));
        }

        private void renameColumn()
        {
            Optional<ModelColumn> column = randomColumn();
            if (column.isEmpty()) {
                return;
            }
            String name = "c" + names++;
            next(schema.replace(column.get(), column.get().withName(name)), schema.select(other -> other.equals(column.get()) ? other.name() + " AS " + name : other.name()));
            execute("ALTER TABLE %s RENAME COLUMN %s TO %s".formatted(actual, column.get().name(), name));
        }

        private void setType()
        {
            Optional<ModelColumn> column = randomColumn();
            if (column.isEmpty()) {
                return;
            }
            List<String> types = column.get().kind().types();
            int current = types.indexOf(column.get().type());
            String type = types.get(current + random.nextInt(types.size() - current));
            next(schema.replace(column.get(), column.get().withType(type)), schema.select(other -> other.equals(column.get()) ? "CAST(%1$s AS %2$s) AS %1$s".formatted(other.name(), type) : other.name()));
            execute("ALTER TABLE %s ALTER COLUMN %s SET DATA TYPE %s".formatted(actual, column.get().name(), type));
        }

        private void setDefault()
        {
            Optional<ModelColumn> column = randomColumn();
            if (column.isEmpty()) {
                return;
            }
            boolean drop = column.get().literal().isPresent() && random.nextBoolean();
            Optional<String> literal = drop ? Optional.empty() : Optional.of(column.get().kind().literal(random.nextInt(50)));
            next(schema.replace(column.get(), column.get().withLiteral(literal)), schema.select(ModelColumn::name));
            if (drop) {
                // A NOT NULL column without a default value could not be left out of INSERT
                execute("ALTER TABLE %s ALTER COLUMN %s DROP DEFAULT".formatted(actual, column.get().name()));
                dropNotNull(column.get());
                return;
            }
            execute("ALTER TABLE %s ALTER COLUMN %s SET DEFAULT %s".formatted(actual, column.get().name(), literal.orElseThrow()));
        }

        private void dropNotNull(ModelColumn column)
        {
            String[] name = actual.split("\\.");
            String nullable = (String) queryRunner.execute("SELECT is_nullable FROM %s.information_schema.columns WHERE table_schema = '%s' AND table_name = '%s' AND column_name = '%s'".formatted(name[0], name[1], name[2], column.name())).getOnlyValue();
            if (nullable.equals("NO")) {
                execute("ALTER TABLE %s ALTER COLUMN %s DROP NOT NULL".formatted(actual, column.name()));
            }
        }

        private void insert()
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
        }

        private void update()
        {
            Optional<ModelColumn> column = randomColumn();
            if (column.isEmpty()) {
                return;
            }
            String predicate = random.nextInt(3) == 0 ? "true" : predicate(schema);
            String value = column.get().value("id + 3");
            query(schema, "SELECT %s FROM %s".formatted(
                    String.join(", ", schema.select(other -> other.equals(column.get()) ? "IF(%s, %s, %s) AS %3$s".formatted(predicate, value, other.name()) : other.name())),
                    expected()));
            execute("UPDATE %s SET %s = %s WHERE %s".formatted(actual, column.get().name(), value, predicate));
        }

        private void delete()
        {
            String predicate = predicate(schema);
            query(schema, "SELECT * FROM %s WHERE NOT coalesce(%s, false)".formatted(expected(), predicate));
            execute("DELETE FROM %s WHERE %s".formatted(actual, predicate));
        }

        private void rollback()
        {
            List<Long> versions = List.copyOf(snapshots.keySet());
            long version = versions.get(random.nextInt(versions.size()));
            Snapshot snapshot = snapshots.get(version);
            query(snapshot.schema(), "SELECT * FROM " + snapshot.table());
            execute("ALTER TABLE %s EXECUTE rollback_to_snapshot(%s)".formatted(actual, version));
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
            String value = column.value(String.valueOf(random.nextInt(50)));
            return switch (random.nextInt(5)) {
                case 0 -> column.name() + " IS NULL";
                case 1 -> column.name() + " = " + value;
                case 2 -> column.name() + " > " + value;
                case 3 -> "%s <= %s AND id < %s".formatted(column.name(), value, random.nextInt(ROWS));
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
            String name = expectedPrefix + (expectedNumber + 1);
            queryRunner.execute("CREATE TABLE %s AS %s".formatted(name, query));
            expectedNumber++;
            schema = columns;
        }

        private MaterializedResult execute(String sql)
        {
            log.add(sql);
            return queryRunner.execute(session, sql);
        }

        private void compare()
        {
            compare(actual, schema, expected());
            long version = (long) queryRunner.execute("SELECT max(snapshot_id) FROM %s".formatted(actual.replaceAll("(\\w+)$", "\"$1\\$snapshots\""))).getOnlyValue();
            snapshots.put(version, new Snapshot(schema, expected()));
            List<Long> versions = List.copyOf(snapshots.keySet());
            long earlier = versions.get(random.nextInt(versions.size()));
            Snapshot snapshot = snapshots.get(earlier);
            compare("%s FOR VERSION AS OF %s".formatted(actual, earlier), snapshot.schema(), snapshot.table());
        }

        private void compare(String table, SchemaModel columns, String expected)
        {
            MaterializedResult all = queryRunner.execute(session, "SELECT * FROM " + table);
            assertThat(all.getColumnNames()).as(table).isEqualTo(columns.select(ModelColumn::name));
            assertThat(all.getTypes()).as(table).isEqualTo(queryRunner.execute("SELECT * FROM " + expected).getTypes());
            assertThat(result(table, "true")).as(table).isEqualTo(result(expected, "true"));
            String predicate = predicate(columns);
            assertThat(result(table, predicate)).as(table + ": " + predicate).isEqualTo(result(expected, predicate));
            assertThat(count(table, predicate)).as(table + ": " + predicate).isEqualTo(count(expected, predicate));
        }

        private Object count(String table, String predicate)
        {
            return queryRunner.execute(session, "SELECT count(*) FROM %s WHERE %s".formatted(table, predicate)).getOnlyValue();
        }

        private Multiset<MaterializedRow> result(String table, String predicate)
        {
            return ImmutableMultiset.copyOf(queryRunner.execute(session, "SELECT * FROM %s WHERE %s".formatted(table, predicate)).getMaterializedRows());
        }
    }
}
