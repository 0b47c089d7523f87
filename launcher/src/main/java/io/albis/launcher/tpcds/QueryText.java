package io.albis.launcher.tpcds;

import com.google.common.io.Resources;

import java.io.IOException;
import java.io.UncheckedIOException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The TPC-DS queries in Trino's dialect, taken from Trino's own benchmarks.
 */
public final class QueryText
{
    private static final String PLACEHOLDER = "${database}.${schema}.";

    private QueryText() {}

    public static String name(int number)
    {
        return "q%02d".formatted(number);
    }

    public static String load(int number, String catalog, String schema)
    {
        try {
            String template = Resources.toString(Resources.getResource("sql/presto/tpcds/%s.sql".formatted(name(number))), UTF_8);
            return fill(template, catalog, schema);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Replaces the placeholder in front of each table with catalog and schema. The templates of q49 and q80 also
     * contain a placeholder in a string literal by mistake. It is removed there, because results must not depend on
     * where the tables are stored.
     */
    static String fill(String template, String catalog, String schema)
    {
        String qualifier = catalog + "." + schema + ".";
        StringBuilder text = new StringBuilder();
        boolean literal = false;
        int position = 0;
        while (position < template.length()) {
            if (template.startsWith(PLACEHOLDER, position)) {
                text.append(literal ? "" : qualifier);
                position += PLACEHOLDER.length();
                continue;
            }
            char character = template.charAt(position);
            if (character == '\'') {
                literal = !literal;
            }
            text.append(character);
            position++;
        }
        return text.toString();
    }
}
