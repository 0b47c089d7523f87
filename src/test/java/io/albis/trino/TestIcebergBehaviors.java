package io.albis.trino;

import com.google.common.collect.Sets;
import io.trino.testing.TestingConnectorBehavior;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;

final class TestIcebergBehaviors
{
    /**
     * The documentation compares the behaviors for which inherited tests ask with those of Iceberg.
     */
    @Test
    void testBehaviorsOfIceberg()
            throws IOException
    {
        TestAlbisConnectorTest albisTest = new TestAlbisConnectorTest();
        Set<TestingConnectorBehavior> missing = Arrays.stream(TestingConnectorBehavior.values())
                .filter(behavior -> !albisTest.hasBehavior(behavior))
                .collect(toImmutableSet());
        Set<TestingConnectorBehavior> checked = IcebergBehaviors.checked();
        Set<TestingConnectorBehavior> albis = Sets.intersection(missing, checked);
        Set<TestingConnectorBehavior> iceberg = Sets.intersection(IcebergBehaviors.missing(), checked);
        assertThat(albis).hasSizeLessThan(iceberg.size());
        String document = Files.readString(Path.of("docs/connector.md"));
        assertThat(document.replace('\n', ' ')).contains("ask for %s of these behaviors".formatted(checked.size()), "Albis lacks %s of them, and Iceberg lacks %s".formatted(albis.size(), iceberg.size()));
        assertThat(documentedBehaviors(document, "Only Albis has")).isEqualTo(Sets.difference(iceberg, albis));
        assertThat(documentedBehaviors(document, "Only Iceberg has")).isEqualTo(Sets.difference(albis, iceberg));
        assertThat(documentedBehaviors(document, "None of them has")).isEqualTo(Sets.intersection(albis, iceberg));
    }

    private static Set<TestingConnectorBehavior> documentedBehaviors(String document, String row)
    {
        Matcher matcher = Pattern.compile("(?m)^\\| %s \\| (?<behaviors>.*) \\|$".formatted(row)).matcher(document);
        assertThat(matcher.find()).as(row).isTrue();
        return Pattern.compile("`(?<name>\\w+)`").matcher(matcher.group("behaviors")).results()
                .map(behavior -> TestingConnectorBehavior.valueOf("SUPPORTS_" + behavior.group("name")))
                .collect(toImmutableSet());
    }
}
