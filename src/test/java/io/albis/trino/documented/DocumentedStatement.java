package io.albis.trino.documented;

import com.google.common.collect.ImmutableList;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A row of the table of statements in docs/format.md.
 *
 * @param part the part of the format that the statement produces
 * @param sql the statement
 * @param contents what the page says about the files after the statement
 */
record DocumentedStatement(String part, String sql, String contents)
{
    private static final Path PAGE = Path.of("docs/format.md");
    private static final Pattern ROW = Pattern.compile("\\| (.+?) \\| `(.+?)` \\| (.+) \\|");
    private static final Pattern TABLE = Pattern.compile(
            "(?:(?:CREATE (?:OR REPLACE )?(?:TABLE|VIEW|MATERIALIZED VIEW)|REFRESH MATERIALIZED VIEW|INSERT INTO|DELETE FROM|UPDATE|MERGE INTO|TRUNCATE TABLE|COMMENT ON TABLE|ALTER TABLE .* RENAME TO|ALTER TABLE(?= [a-z0-9_]+ (?:EXECUTE|ADD|ALTER|DROP) )|DROP TABLE) |CALL system\\.unregister_table\\('parts', ')" +
                    "([a-z0-9_]+\\.)?([a-z0-9_]+).*");

    static List<DocumentedStatement> read()
            throws IOException
    {
        String page = Files.readString(PAGE, UTF_8);
        int start = page.indexOf("<!-- statements -->");
        Matcher row = ROW.matcher(page.substring(start, page.indexOf("\n## ", start)));
        ImmutableList.Builder<DocumentedStatement> statements = ImmutableList.builder();
        while (row.find()) {
            statements.add(new DocumentedStatement(row.group(1), row.group(2).replace("\\|", "|"), row.group(3)));
        }
        return statements.build();
    }

    /**
     * Returns the name of the table after the statement, or empty if the statement is about a schema.
     */
    Optional<String> table()
    {
        Matcher table = TABLE.matcher(sql);
        return table.matches() ? Optional.of(table.group(2)) : Optional.empty();
    }

    /**
     * Returns the schema of the table.
     */
    String schema()
    {
        Matcher table = TABLE.matcher(sql);
        return table.matches() && table.group(1) != null ? table.group(1).replace(".", "") : "parts";
    }
}
