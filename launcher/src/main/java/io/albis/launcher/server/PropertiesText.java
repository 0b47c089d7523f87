package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.stream.Collectors.joining;

/**
 * The text of a properties file with one property per line.
 */
public record PropertiesText(String text)
{
    public Map<String, String> properties()
    {
        Properties properties = new Properties();
        try {
            properties.load(Reader.of(text));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.stringPropertyNames().stream()
                .collect(toImmutableMap(name -> name, properties::getProperty));
    }

    /**
     * Returns the same text with other values. Comments and order are kept, and new properties are appended.
     */
    public PropertiesText with(Map<String, String> values)
    {
        Set<String> missing = new HashSet<>(values.keySet());
        String replaced = text.lines()
                .map(line -> {
                    String key = key(line);
                    if (!values.containsKey(key)) {
                        return line;
                    }
                    missing.remove(key);
                    return line(key, values.get(key));
                })
                .collect(joining("\n", "", "\n"));
        String added = missing.stream()
                .sorted()
                .map(key -> line(key, values.get(key)) + "\n")
                .collect(joining());
        return new PropertiesText(replaced + added);
    }

    private static String line(String key, String value)
    {
        return key + "=" + escape(value);
    }

    /**
     * Returns a value as it is written. A single backslash would start an escape sequence, and readers of the file take
     * other characters than those of ASCII for others.
     */
    private static String escape(String value)
    {
        StringBuilder escaped = new StringBuilder();
        for (char character : value.toCharArray()) {
            if (character == '\\') {
                escaped.append("\\\\");
            }
            else if (character > '~') {
                escaped.append("\\u%04x".formatted((int) character));
            }
            else {
                escaped.append(character);
            }
        }
        return escaped.toString();
    }

    private static String key(String line)
    {
        Map<String, String> property = line.isBlank() ? ImmutableMap.of() : new PropertiesText(line).properties();
        return property.keySet().stream().findFirst().orElse("");
    }
}
