package io.albis.benchmarks.server;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * A session property that measured statements get.
 *
 * @param catalog name of the catalog that has the property; empty for a property of the engine
 */
public record SessionProperty(Optional<String> catalog, String name, String value)
{
    private static final Pattern PROPERTY = Pattern.compile("(?:([a-z0-9_]+)\\.)?([a-z0-9_]+)=(.+)");

    public SessionProperty
    {
        requireNonNull(catalog, "catalog is null");
        requireNonNull(name, "name is null");
        requireNonNull(value, "value is null");
    }

    /**
     * Parses a property, such as {@code task_concurrency=1} or {@code albis.index_enabled=false}.
     */
    public static SessionProperty parse(String text)
    {
        Matcher matcher = PROPERTY.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("Not a session property such as task_concurrency=1 or albis.index_enabled=false: '%s'".formatted(text));
        }
        return new SessionProperty(Optional.ofNullable(matcher.group(1)), matcher.group(2), matcher.group(3));
    }
}
