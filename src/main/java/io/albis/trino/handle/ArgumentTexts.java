package io.albis.trino.handle;

import java.util.List;
import java.util.function.Function;

import static java.util.stream.Collectors.joining;

/**
 * The arguments of procedures as EXPLAIN shows them, in SQL.
 */
final class ArgumentTexts
{
    private ArgumentTexts() {}

    static <T> String array(List<T> elements, Function<T, String> text)
    {
        return elements.stream().map(text).collect(joining(", ", "ARRAY[", "]"));
    }

    static String literal(String name)
    {
        return "'" + name.replace("'", "''") + "'";
    }
}
