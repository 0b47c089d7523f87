package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexSearches;
import io.albis.trino.IndexThresholds;
import io.albis.trino.RandomAccessPaths;
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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static java.util.Locale.ENGLISH;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the part of SQLite's test corpus that Trino's dialect allows, on Albis tables with random layouts, orders, and
 * indexes and on tables of the memory connector. The corpus has 7 million queries, of which a run takes some of random
 * files. {@code -Dcorpus.files} is a regular expression that selects all files in whose name it is found, and {@code
 * -Dcorpus.queries} the number of queries of each selected file, or {@code all}.
 */
@Tag("slow")
@Timeout(value = 30, unit = DAYS)
final class TestSqliteCorpus
{
    private static final String SEED = "corpus.seed";
    private static final String FILES = "corpus.files";
    private static final String QUERIES = "corpus.queries";
    private static final int RANDOM_QUERIES = 500;
    private static final int QUERIES_OF_FILE = 100;
    // Some files have tables of few rows, or no query with a predicate on an indexed column
    private static final int MAX_RANDOM_FILES = 50;
    // These files create indexes of columns in their predicates, and tables of at least 10 rows
    private static final Pattern INDEXED_FILES = Pattern.compile("test/index/.*/10+/.*");
    private static final List<String> CATALOGS = ImmutableList.of("albis", "memory");
    private static final Pattern CREATE_TABLE = Pattern.compile("CREATE TABLE (?<table>\\w+) ?\\((?<columns>.*)\\)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern CREATE_INDEX = Pattern.compile("CREATE (UNIQUE )?INDEX \\w+ ON (?<table>\\w+) ?\\((?<columns>[^)]*)\\)", Pattern.CASE_INSENSITIVE);
    private static final Pattern INSERT = Pattern.compile("(?<start>INSERT INTO .*?VALUES) ?(?<row>\\(.*\\))", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final IndexSearches searches = new IndexSearches();
    private final Optional<Pattern> selectedFiles = Optional.ofNullable(System.getProperty(FILES)).map(Pattern::compile);
    private final Optional<Integer> selectedQueries = Optional.ofNullable(System.getProperty(QUERIES)).map(number -> number.equals("all") ? Integer.MAX_VALUE : Integer.parseInt(number));
    private final long seed = Long.getLong(SEED, System.nanoTime());
    private final Random random = new Random(seed);
    private int number;
    private long compared;
    private long refused;

    @Test
    void testCorpus()
            throws Exception
    {
        System.out.println("SQLite's corpus: -D%s=%s%s%s".formatted(
                SEED,
                seed,
                selectedFiles.map(files -> " -D%s='%s'".formatted(FILES, files)).orElse(""),
                selectedQueries.map(_ -> " -D%s=%s".formatted(QUERIES, System.getProperty(QUERIES))).orElse("")));
        List<String> files = files();
        assertThat(files).hasSizeGreaterThan(500);
        try (DistributedQueryRunner queryRunner = AlbisQueryRunner.builder().setEventListener(searches).build()) {
            if (selectedFiles.isPresent() || selectedQueries.isPresent()) {
                runSelected(queryRunner, files);
            }
            else {
                runRandom(queryRunner, files);
            }
        }
        System.out.println("SQLite's corpus: %s queries of %s files had the same result, and %s were refused. Indexes have excluded %s rows".formatted(compared, number, refused, searches.excludedRows()));
    }

    private void runSelected(DistributedQueryRunner queryRunner, List<String> files)
            throws IOException
    {
        List<String> selected = files.stream()
                .filter(file -> selectedFiles.isEmpty() || selectedFiles.get().matcher(file).find())
                .toList();
        assertThat(selected).as("files with a name that contains %s", selectedFiles).isNotEmpty();
        for (String file : selected) {
            run(queryRunner, file);
        }
        // few queries may have no predicate on a column with an index
        if (compared >= QUERIES_OF_FILE && selected.stream().anyMatch(file -> INDEXED_FILES.matcher(file).matches())) {
            searches.assertSearched();
        }
    }

    private void runRandom(DistributedQueryRunner queryRunner, List<String> files)
            throws IOException
    {
        while (compared < RANDOM_QUERIES || (searches.excludedRows() == 0 && number < MAX_RANDOM_FILES)) {
            run(queryRunner, files.get(random.nextInt(files.size())));
        }
        assertThat(compared).isGreaterThan(refused / 2);
        searches.assertSearched();
    }

    private void run(DistributedQueryRunner queryRunner, String file)
            throws IOException
    {
        new CorpusFile(queryRunner, "corpus" + number, file).run(operations(file));
        number++;
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
        private final String file;
        private final Session session;
        // Rows that belong into one INSERT statement
        private String insert = "";
        private final List<String> rows = new ArrayList<>();
        private final List<String> tables = new ArrayList<>();

        private CorpusFile(DistributedQueryRunner queryRunner, String schema, String file)
        {
            this.queryRunner = queryRunner;
            this.schema = schema;
            this.file = file;
            Session.SessionBuilder builder = Session.builder(queryRunner.getDefaultSession()).setSchema(schema);
            IndexThresholds.random(random).forEach((name, value) -> builder.setCatalogSessionProperty(CATALOG, name, value));
            session = builder.build();
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
            int limit = selectedQueries.orElse(QUERIES_OF_FILE);
            if (limit < queries.size()) {
                Collections.shuffle(queries, random);
            }
            queries.stream().limit(limit).forEach(query -> compare(query.getQuery().strip()));
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
            return "layout = '%s', row_group_rows = %s%s".formatted(
                    random.nextBoolean() ? "block" : "row",
                    1 + random.nextInt(random.nextInt(4) == 0 ? 20 : 2000),
                    RandomAccessPaths.properties(random, names));
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
            return queryRunner.execute(Session.builder(session).setCatalog(catalog).build(), sql);
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
