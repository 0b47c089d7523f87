package io.albis.trino;

import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the statements of docs/format.md ("A statement for each part"), and compares the types that it names with those
 * of the columns.
 */
final class TestDocumentedStatements
        extends AbstractTestQueryFramework
{
    private static final Pattern ROW = Pattern.compile("\\| (.+?) \\| `(.+)` \\|");
    private static final Pattern TYPE = Pattern.compile("`([a-z0-9(), ]+)`");
    private static final Pattern TABLE = Pattern.compile("CREATE TABLE (t_[a-z_]+) .*");

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder().build();
        queryRunner.execute("CREATE SCHEMA albis.parts");
        return queryRunner;
    }

    @Test
    void testStatementsOfThePage()
            throws IOException
    {
        Session session = testSessionBuilder(getSession()).setCatalog("albis").setSchema("parts").build();
        String page = Files.readString(Path.of("docs/format.md"), UTF_8);
        int start = page.indexOf("<!-- statements -->");
        Matcher row = ROW.matcher(page.substring(start, page.indexOf("\n## ", start)));
        int statements = 0;
        int types = 0;
        while (row.find()) {
            String statement = row.group(2).replace("\\|", "|");
            computeActual(session, statement);
            statements++;
            Matcher type = TYPE.matcher(row.group(1));
            Matcher table = TABLE.matcher(statement);
            if (table.matches()) {
                assertThat(type.matches()).isTrue();
                Object actual = computeScalar(session, "SELECT data_type FROM information_schema.columns WHERE table_schema = 'parts' AND table_name = '%s'".formatted(table.group(1)));
                assertThat(((String) actual).replace(", ", ",")).isEqualTo(type.group(1));
                types++;
            }
        }
        assertThat(statements).isGreaterThan(30);
        assertThat(types).isEqualTo(24);
    }
}
