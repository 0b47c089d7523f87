package io.albis.launcher.server;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A map of a document in YAML or in JSON, which is YAML, too.
 */
record Yaml(Map<?, ?> map)
{
    Yaml
    {
        requireNonNull(map, "map is null");
    }

    static Yaml parse(String text)
    {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return of(new org.yaml.snakeyaml.Yaml(new SafeConstructor(options)).load(text));
    }

    private static Yaml of(Object value)
    {
        assertThat(value).isInstanceOf(Map.class);
        return new Yaml((Map<?, ?>) value);
    }

    boolean has(String key)
    {
        return map.containsKey(key);
    }

    Object value(String key)
    {
        assertThat(has(key)).as("%s of %s", key, map).isTrue();
        return map.get(key);
    }

    String text(String key)
    {
        return value(key).toString();
    }

    Yaml child(String key)
    {
        return of(value(key));
    }

    List<Yaml> children(String key)
    {
        return ((List<?>) value(key)).stream().map(Yaml::of).collect(toImmutableList());
    }

    Map<String, String> texts()
    {
        return map.entrySet().stream().collect(toImmutableMap(entry -> entry.getKey().toString(), entry -> entry.getValue().toString()));
    }

    List<String> texts(String key)
    {
        return ((List<?>) value(key)).stream().map(Object::toString).collect(toImmutableList());
    }
}
