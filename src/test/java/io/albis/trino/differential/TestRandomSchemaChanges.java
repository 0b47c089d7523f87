package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import io.albis.TestTier;
import io.albis.trino.differential.SchemaModel.ModelColumn;
import io.albis.trino.differential.SchemaModel.ModelField;
import io.albis.trino.differential.SchemaModel.ValueKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Runs random changes of the columns, the rows, and the properties of a table, and maintenance, and compares each of
 * its versions and the changes between them with a table of the memory connector.
 */
final class TestRandomSchemaChanges
        extends BaseRandomSchemaChangesTest
{
    private static final List<String> COLUMN_PROPERTIES = List.of("partitioned_by", "sorted_by", "indexed_by");

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
        run(4);
    }

    private final class SchemaChanges
            extends SchemaRound
    {
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
            return properties(groups);
        }

        private String properties(String groups)
        {
            StringBuilder properties = new StringBuilder(groups);
            for (String property : COLUMN_PROPERTIES) {
                if (property.equals("indexed_by") ? random.nextInt(4) > 0 : random.nextInt(3) == 0) {
                    properties.append(randomProperty(property)).append(", ");
                }
            }
            return "WITH (%srow_group_rows = %s, segment_size = '%skB')".formatted(properties, 50 + random.nextInt(ROWS), 1 << random.nextInt(8));
        }

        @Override
        long statement()
        {
            return switch (random.nextInt(36)) {
                case 0, 1, 2 -> addColumn(ValueKind.values()[random.nextInt(ValueKind.values().length)]);
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
                case 24, 25, 26, 27, 28 -> changeField();
                case 29, 30 -> setNotNull();
                case 31 -> comment();
                case 32 -> replaceTable();
                case 33 -> truncate();
                case 34 -> removeOrphanFiles();
                default -> rollback();
            };
        }

        /**
         * Returns a table property with a column.
         */
        private String randomProperty(String property)
        {
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
            unchanged();
            List<String> used = List.copyOf(usedColumns.keySet());
            if (!used.isEmpty() && random.nextBoolean()) {
                String property = used.get(random.nextInt(used.size()));
                usedColumns.remove(property);
                execute("ALTER TABLE %s SET PROPERTIES %s = DEFAULT".formatted(actual, property));
            }
            else {
                execute("ALTER TABLE %s SET PROPERTIES %s".formatted(actual, randomProperty(COLUMN_PROPERTIES.get(random.nextInt(COLUMN_PROPERTIES.size())))));
            }
            return 0;
        }

        private long changeIndex()
        {
            List<ModelColumn> columns = schema.columns().stream()
                    .filter(column -> !column.kind().isNested())
                    .toList();
            String column = columns.get(random.nextInt(columns.size())).name();
            unchanged();
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

        private long addColumn(ValueKind kind)
        {
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
            List<String> types = column.get().nextTypes();
            if (types.isEmpty()) {
                return 0;
            }
            String type = types.get(random.nextInt(types.size()));
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

        /**
         * Adds, drops, renames, or widens a field of a row.
         */
        private long changeField()
        {
            List<ModelColumn> columns = schema.columns().stream().filter(ModelColumn::hasFields).toList();
            if (columns.isEmpty()) {
                return addColumn(random.nextBoolean() ? ValueKind.ROW : ValueKind.ROWS);
            }
            ModelColumn column = columns.get(random.nextInt(columns.size()));
            List<ModelField> fields = new ArrayList<>(column.fields());
            int index = random.nextInt(fields.size());
            ModelField field = fields.get(index);
            String path = column.name() + (column.kind() == ValueKind.ROWS ? ".element." : ".");
            String statement = switch (random.nextInt(4)) {
                case 0 -> {
                    if (fields.size() == 1) {
                        yield addField(fields, path);
                    }
                    fields.remove(index);
                    yield "DROP COLUMN %s%s".formatted(path, field.name());
                }
                case 1 -> {
                    // Trino renames only the fields of rows
                    if (column.kind() == ValueKind.ROWS) {
                        yield addField(fields, path);
                    }
                    String name = field.name().charAt(0) + String.valueOf(names++);
                    fields.set(index, new ModelField(name, field.type()));
                    yield "RENAME COLUMN %s%s TO %s".formatted(path, field.name(), name);
                }
                case 2 -> {
                    String type = field.nextTypes().get(random.nextInt(field.nextTypes().size()));
                    fields.set(index, new ModelField(field.name(), type));
                    yield "ALTER COLUMN %s%s SET DATA TYPE %s".formatted(path, field.name(), type);
                }
                default -> addField(fields, path);
            };
            ModelColumn changed = column.withFields(fields);
            // the values of a field that gets another name remain
            String values = statement.startsWith("RENAME") ? "CAST(%s AS %s)".formatted(column.name(), changed.type()) : column.converted(changed.type());
            next(schema.replace(column, changed), schema.select(other -> other.equals(column) ? "%s AS %s".formatted(values, column.name()) : other.name()));
            execute("ALTER TABLE %s %s".formatted(actual, statement));
            return 0;
        }

        private String addField(List<ModelField> fields, String path)
        {
            String letter = ModelField.LETTERS.get(random.nextInt(ModelField.LETTERS.size()));
            // the name can be that of a field that was dropped
            String name = fields.stream().anyMatch(field -> field.name().equals(letter)) ? letter + names++ : letter;
            List<String> types = ModelField.types(letter);
            ModelField added = new ModelField(name, types.get(random.nextInt(types.size())));
            fields.add(added);
            return "ADD COLUMN %s%s %s".formatted(path, added.name(), added.type());
        }

        /**
         * Makes a column NOT NULL, which can be left out of INSERT or never is.
         */
        private long setNotNull()
        {
            List<ModelColumn> columns = schema.columns().stream()
                    .filter(column -> column.name().equals("id") || column.literal().isPresent())
                    .toList();
            ModelColumn column = columns.get(random.nextInt(columns.size()));
            boolean hasNulls = (long) expect("SELECT count(*) FROM %s WHERE %s IS NULL".formatted(expected(), column.name())).getOnlyValue() > 0;
            unchanged();
            String statement = "ALTER TABLE %s EXECUTE set_not_null('%s')".formatted(actual, column.name());
            if (hasNulls) {
                assertThatThrownBy(() -> execute(statement)).hasMessageContaining("it is null in some rows");
                return 0;
            }
            execute(statement);
            if (random.nextBoolean()) {
                dropNotNull(column);
            }
            return 0;
        }

        private long comment()
        {
            unchanged();
            if (random.nextInt(3) == 0) {
                String comment = "comment " + names++;
                execute("COMMENT ON TABLE %s IS '%s'".formatted(actual, comment));
                assertThat((String) expect("SHOW CREATE TABLE " + actual).getOnlyValue()).contains("COMMENT '%s'".formatted(comment));
                return 0;
            }
            ModelColumn column = schema.columns().get(random.nextInt(schema.columns().size()));
            Optional<String> comment = random.nextInt(3) == 0 ? Optional.empty() : Optional.of("comment " + names++);
            schema = schema.replace(column, column.withComment(comment));
            execute("COMMENT ON COLUMN %s.%s IS %s".formatted(actual, column.name(), comment.map("'%s'"::formatted).orElse("NULL")));
            return 0;
        }

        /**
         * The columns of the new table have new ids, and neither default values nor comments.
         */
        private long replaceTable()
        {
            List<ModelColumn> columns = schema.columns().stream().map(ModelColumn::copied).toList();
            replace(new SchemaModel(columns), "SELECT * FROM %s WHERE id %% 3 <> 0".formatted(expected()));
            usedColumns.clear();
            execute("CREATE OR REPLACE TABLE %s %s AS SELECT * FROM %s WHERE id %% 3 <> 0".formatted(actual, properties(random.nextBoolean() ? "layout = 'row', " : ""), actual));
            return 0;
        }

        private long truncate()
        {
            query(schema, "SELECT * FROM %s WHERE false".formatted(expected()));
            execute("TRUNCATE TABLE " + actual);
            return 0;
        }
    }
}
