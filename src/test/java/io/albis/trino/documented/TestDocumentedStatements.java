package io.albis.trino.documented;

import com.fasterxml.jackson.databind.JsonNode;
import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the statements of docs/format.md ("A statement for each part"), reads the files that they produce, and compares
 * the types, encodings, parameters, sketches, versions, deleted rows, and names with those that the page states.
 */
@Tag("slow")
final class TestDocumentedStatements
        extends AbstractTestQueryFramework
{
    private static final Pattern TYPE = Pattern.compile("`([a-z0-9(), \"]+)`");
    private static final Pattern ENCODING = Pattern.compile("`(rows|nulls|constant|fixed|bytes|dictionary|bits)`");
    private static final Pattern REPEATED = Pattern.compile(".*, ([0-9]+) times");
    private static final Pattern RENAME = Pattern.compile("ALTER TABLE ([a-z_]+) RENAME TO .*");
    private static final Pattern SCHEMA = Pattern.compile("CREATE SCHEMA (?<name>[a-z_]+).*|ALTER SCHEMA (?<old>[a-z_]+) RENAME TO (?<new>[a-z_]+)");

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder()
                .addAlbisProperty("albis.allowed-locations", "local:///elsewhere")
                .setWorkerCount(0)
                .build();
        queryRunner.execute("CREATE SCHEMA albis.parts");
        return queryRunner;
    }

    @Test
    void testStatementsOfThePage()
            throws IOException
    {
        Session session = testSessionBuilder(getSession())
                .setCatalog("albis")
                .setSchema("parts")
                .setSystemProperty("redistribute_writes", "false")
                .setSystemProperty("task_concurrency", "1")
                .setSystemProperty("task_min_writer_count", "1")
                .setCatalogSessionProperty("albis", "expire_snapshots_min_retention", "0s")
                .build();
        List<DocumentedStatement> statements = DocumentedStatement.read();
        List<String> documented = new ArrayList<>();
        List<String> actual = new ArrayList<>();
        int types = 0;
        boolean outside = false;
        for (DocumentedStatement statement : statements) {
            Matcher repeated = REPEATED.matcher(statement.part());
            int times = repeated.matches() ? Integer.parseInt(repeated.group(1)) : 1;
            for (int i = 0; i < times; i++) {
                computeActual(session, statement.sql());
            }
            Matcher encoding = ENCODING.matcher(statement.part());
            if (encoding.find()) {
                assertThat(statement.contents()).contains(encoding.group());
            }
            documented.add(statement.part() + " | " + statement.contents());
            actual.add(statement.part() + " | " + contents(statement));
            // the warehouse has an identity as soon as it has a folder outside of it
            outside |= statement.sql().contains("location = ");
            assertThat(Files.exists(root().resolve("warehouse/.albis"))).isEqualTo(outside);
            if (statement.table().isPresent() && statement.table().get().startsWith("t_")) {
                Matcher type = TYPE.matcher(statement.part());
                assertThat(type.matches()).isTrue();
                Object name = computeScalar(session, "SELECT data_type FROM information_schema.columns WHERE table_schema = 'parts' AND table_name = '%s'".formatted(statement.table().get()));
                assertThat(((String) name).replace(", ", ",")).isEqualTo(type.group(1));
                types++;
            }
        }
        assertThat(actual).containsExactlyElementsOf(documented);
        assertThat(types).isEqualTo(28);
    }

    /**
     * Describes the files after a statement in the words of the page.
     */
    private String contents(DocumentedStatement statement)
            throws IOException
    {
        if (statement.table().isEmpty()) {
            Matcher schema = SCHEMA.matcher(statement.sql());
            assertThat(schema.matches()).as(statement.sql()).isTrue();
            if (schema.group("old") != null) {
                return describeRename(schema.group("old"), schema.group("new"));
            }
            JsonNode entry = StoredTable.schema(root(), schema.group("name"));
            return "entry " + entry.get("number").asInt() + (entry.has("location") ? ", `location`" : "");
        }
        String name = statement.table().get();
        StoredTable table = StoredTable.find(root(), statement.schema(), name);
        if (name.startsWith("t_") || name.startsWith("e_")) {
            return table.chunks();
        }
        if (name.startsWith("s_")) {
            return table.sketches();
        }
        if (name.startsWith("m_")) {
            return table.state() + ", " + table.manifests().stream()
                    .map(TestDocumentedStatements::describe)
                    .distinct()
                    .collect(joining("; "));
        }
        Matcher rename = RENAME.matcher(statement.sql());
        if (rename.matches() && StoredTable.find(root(), statement.schema(), rename.group(1)).ended()) {
            return table.state() + ", tombstone of the old name";
        }
        return table.state();
    }

    private String describeRename(String oldName, String newName)
            throws IOException
    {
        JsonNode entry = StoredTable.schema(root(), newName);
        JsonNode tombstone = StoredTable.schema(root(), oldName);
        assertThat(entry.get("tables").asText()).isEqualTo(oldName);
        assertThat(entry.get("renamedFrom").get("name").asText()).isEqualTo(oldName);
        assertThat(tombstone.get("renamedTo").get("name").asText()).isEqualTo(newName);
        assertThat(tombstone.get("renamedTo").get("entry")).isEqualTo(entry.get("id"));
        return "entry %s, `tables`, `renamedFrom`, tombstone %s of the old name, `renamedTo`".formatted(entry.get("number"), tombstone.get("number"));
    }

    private static String describe(StoredManifest manifest)
    {
        long known = manifest.addedVersions().stream().filter(version -> version > 0).distinct().count();
        Optional<StoredManifest.Sketch> sketch = manifest.sketches().stream().findFirst();
        return "row groups: %s, added by: %s, values in the sketch: %s%s".formatted(
                manifest.addedVersions().size(),
                known == 0 ? "0" : manifest.addedVersions().stream().map(String::valueOf).collect(joining(" ")),
                sketch.map(StoredManifest.Sketch::values).orElse(0L),
                manifest.fields() == 0 ? "" : ", bounds of fields: " + manifest.fields());
    }

    private Path root()
    {
        return getDistributedQueryRunner().getCoordinator().getBaseDataDir().resolve("albis");
    }
}
