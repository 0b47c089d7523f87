package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import net.hydromatic.sqllogictest.ISqlTestOperation;
import net.hydromatic.sqllogictest.OptionsParser;
import net.hydromatic.sqllogictest.SltSqlStatement;
import net.hydromatic.sqllogictest.SltTestFile;
import net.hydromatic.sqllogictest.SqlTestQuery;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Locale.ENGLISH;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the part of SQLite's test corpus that Trino's dialect allows, on Albis tables with random layouts and indexes
 * and on tables of the memory connector. The corpus has 7 million queries, of which a run takes some, unless
 * {@code -Dcorpus.queries} says how many.
 */
@Tag("slow")
@Timeout(36_000)
final class TestSqliteCorpus
{
    private static final String SEED = "corpus.seed";
    private static final int QUERIES = Integer.getInteger("corpus.queries", 500);
    private static final int QUERIES_OF_FILE = 100;
    private static final List<String> CATALOGS = ImmutableList.of("albis", "memory");
    private static final Pattern CREATE_TABLE = Pattern.compile("CREATE TABLE (?<table>\\w+) ?\\((?<columns>.*)\\)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern CREATE_INDEX = Pattern.compile("CREATE (UNIQUE )?INDEX \\w+ ON (?<table>\\w+) ?\\((?<columns>[^)]*)\\)", Pattern.CASE_INSENSITIVE);
    private static final Pattern INSERT = Pattern.compile("(?<start>INSERT INTO .*?VALUES) ?(?<row>\\(.*\\))", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private long compared;
    private long refused;

    @Test
    void testCorpus()
            throws Exception
    {
        long seed = Long.getLong(SEED, System.nanoTime());
        System.out.println("SQLite's corpus by seed -D%s=%s".formatted(SEED, seed));
        Random random = new Random(seed);
        List<String> files = files();
        assertThat(files).hasSizeGreaterThan(500);
        try (DistributedQueryRunner queryRunner = AlbisQueryRunner.builder().build()) {
            for (int number = 0; compared < QUERIES; number++) {
                String file = files.get(random.nextInt(files.size()));
                new CorpusFile(queryRunner, "corpus" + number, random, file).run(operations(file));
            }
        }
        System.out.println("SQLite's corpus: %s queries had the same result, and %s were refused".formatted(compared, refused));
        assertThat(compared).isGreaterThan(refused / 2);
    }

    /**
     * Returns the names of the files in the jar of the corpus.
     */
    private static List<String> files()
            throws IOException
    {
        Path jar = Path.of(SltTestFile.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.startsWith("test/") && name.endsWith(".test"))
                    .sorted()
                    .toList();
        }
    }

    private static List<ISqlTestOperation> operations(String file)
            throws IOException
    {
        PrintStream silent = new PrintStream(OutputStream.nullOutputStream());
        SltTestFile parsed = new SltTestFile(file);
        parsed.parse(new OptionsParser(false, silent, silent).parse());
        return parsed.fileContents;
    }

    /**
     * Runs the operations of one file in a schema of its own.
     */
    private final class CorpusFile
    {
        private final DistributedQueryRunner queryRunner;
        private final String schema;
        private final Random random;
        private final String file;
        // Rows that belong into one INSERT statement
        private String insert = "";
        private final List<String> rows = new ArrayList<>();
        private final List<String> tables = new ArrayList<>();

        private CorpusFile(DistributedQueryRunner queryRunner, String schema, Random random, String file)
        {
            this.queryRunner = queryRunner;
            this.schema = schema;
            this.random = random;
            this.file = file;
        }

        private void run(List<ISqlTestOperation> operations)
        {
            CATALOGS.forEach(catalog -> queryRunner.execute("CREATE SCHEMA %s.%s".formatted(catalog, schema)));
            List<SqlTestQuery> queries = new ArrayList<>();
            for (ISqlTestOperation operation : operations) {
                if (operation instanceof SqlTestQuery query) {
                    queries.add(query);
                    continue;
                }
                // Statements after the first query are for other queries
                if (!queries.isEmpty() || !change(((SltSqlStatement) operation).statement.strip())) {
                    break;
                }
            }
            assertThat(insertRows()).as(file).isTrue();
            for (int query = 0; query < Math.min(queries.size(), QUERIES_OF_FILE); query++) {
                compare(queries.get(random.nextInt(queries.size())).getQuery().strip());
            }
            queryRunner.execute("DROP SCHEMA albis.%s CASCADE".formatted(schema));
            tables.forEach(table -> queryRunner.execute("DROP TABLE memory.%s.%s".formatted(schema, table)));
            queryRunner.execute("DROP SCHEMA memory." + schema);
        }

        /**
         * @return whether Trino's dialect has the statement
         */
        private boolean change(String statement)
        {
            Matcher row = INSERT.matcher(statement);
            if (row.matches()) {
                boolean inserted = true;
                if (!row.group("start").equals(insert)) {
                    inserted = insertRows();
                    insert = row.group("start");
                }
                rows.add(row.group("row"));
                return inserted;
            }
            if (!insertRows()) {
                return false;
            }
            Matcher table = CREATE_TABLE.matcher(statement);
            if (table.matches()) {
                return createTable(table.group("table").toLowerCase(ENGLISH), table.group("columns"));
            }
            Matcher index = CREATE_INDEX.matcher(statement);
            if (index.matches()) {
                createIndex(index.group("table"), index.group("columns"));
                return true;
            }
            return statement.toUpperCase(ENGLISH).startsWith("INSERT") && insert(statement);
        }

        private boolean insertRows()
        {
            String sql = insert + " " + String.join(", ", rows);
            boolean inserted = rows.isEmpty() || insert(sql);
            rows.clear();
            return inserted;
        }

        private boolean insert(String sql)
        {
            if (result("memory", sql).isEmpty()) {
                return false;
            }
            execute("albis", sql);
            return true;
        }

        private boolean createTable(String table, String definitions)
        {
            String translated = definitions
                    .replaceAll("(?i) PRIMARY KEY| UNIQUE", "")
                    .replaceAll("(?i)\\bTEXT\\b|VARCHAR\\(\\d+\\)", "varchar")
                    .replaceAll("(?i)\\bFLOAT\\b", "double");
            if (result("memory", "CREATE TABLE %s (%s)".formatted(table, translated)).isEmpty()) {
                return false;
            }
            tables.add(table);
            execute("albis", "CREATE TABLE %s (%s) WITH (%s)".formatted(table, translated, properties(translated)));
            return true;
        }

        private String properties(String definitions)
        {
            List<String> names = new ArrayList<>();
            for (String definition : definitions.split(",")) {
                names.add(definition.strip().split("\\s+")[0].toLowerCase(ENGLISH));
            }
            List<String> properties = new ArrayList<>();
            properties.add("layout = '%s'".formatted(random.nextBoolean() ? "block" : "row"));
            properties.add("row_group_rows = %s".formatted(1 + random.nextInt(20)));
            if (random.nextBoolean()) {
                properties.add("indexed_by = ARRAY['%s']".formatted(names.get(random.nextInt(names.size()))));
            }
            if (random.nextInt(3) == 0) {
                properties.add("sorted_by = ARRAY['%s']".formatted(names.get(random.nextInt(names.size()))));
            }
            return String.join(", ", properties);
        }

        private void createIndex(String table, String indexed)
        {
            String names = List.of(indexed.split(",")).stream()
                    .map(column -> "'%s'".formatted(column.strip().split("\\s+")[0].toLowerCase(ENGLISH)))
                    .collect(joining(", "));
            execute("albis", "ALTER TABLE %s EXECUTE add_index(columns => ARRAY[%s])".formatted(table, names));
        }

        private void compare(String query)
        {
            Optional<List<String>> expected = result("memory", query);
            if (expected.isEmpty()) {
                // Trino's dialect does not have it, or a division by zero fails
                refused++;
                return;
            }
            assertThat(sorted(execute("albis", query))).as("%s of %s", query, file).isEqualTo(expected.get());
            compared++;
        }

        private Optional<List<String>> result(String catalog, String query)
        {
            try {
                return Optional.of(sorted(execute(catalog, query)));
            }
            catch (RuntimeException e) {
                return Optional.empty();
            }
        }

        private MaterializedResult execute(String catalog, String sql)
        {
            return queryRunner.execute(Session.builder(queryRunner.getDefaultSession()).setCatalog(catalog).setSchema(schema).build(), sql);
        }

        private static List<String> sorted(MaterializedResult result)
        {
            return result.getMaterializedRows().stream()
                    .map(row -> row.getFields().stream().map(CorpusFile::text).collect(joining(", ")))
                    .sorted()
                    .toList();
        }

        /**
         * Returns a value without the digits of a floating point number that depend on the order of additions.
         */
        private static String text(Object value)
        {
            return value instanceof Double number ? "%.9g".formatted(number) : String.valueOf(value);
        }
    }
}
