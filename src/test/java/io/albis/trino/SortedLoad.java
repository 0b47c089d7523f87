package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.Session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The statements that docs/operations.md recommends for loading sorted data.
 */
public final class SortedLoad
{
    private static final Pattern SECTION = Pattern.compile("## Load sorted data\n(?<text>.*?)\n## ", Pattern.DOTALL);
    private static final Pattern BLOCK = Pattern.compile("```sql\n(?<statements>.*?)```", Pattern.DOTALL);
    private static final Pattern SET_SESSION = Pattern.compile("SET SESSION (?<name>\\w+) = (?<value>\\w+)");

    private SortedLoad() {}

    /**
     * Returns a session in which CREATE TABLE AS and INSERT keep the order of their ORDER BY.
     */
    public static Session session(Session session)
    {
        Session.SessionBuilder builder = Session.builder(session);
        for (String statement : statements()) {
            Matcher matcher = SET_SESSION.matcher(statement);
            if (matcher.matches()) {
                builder.setSystemProperty(matcher.group("name"), matcher.group("value"));
            }
        }
        return builder.build();
    }

    /**
     * Returns the statements of the page, in order.
     */
    static List<String> statements()
    {
        ImmutableList.Builder<String> statements = ImmutableList.builder();
        Matcher block = BLOCK.matcher(section());
        while (block.find()) {
            statements.addAll(Pattern.compile(";\n").splitAsStream(block.group("statements")).map(String::strip).collect(toImmutableList()));
        }
        return statements.build();
    }

    private static String section()
    {
        try {
            Matcher matcher = SECTION.matcher(Files.readString(Path.of("docs/operations.md")));
            if (!matcher.find()) {
                throw new IllegalStateException("docs/operations.md has no section about sorted data");
            }
            return matcher.group("text");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
