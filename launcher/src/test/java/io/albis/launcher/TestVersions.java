package io.albis.launcher;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.albis.launcher.server.Installation;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

import javax.xml.parsers.DocumentBuilderFactory;

import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the versions that build/plain repeats, because it cannot inherit them from Airbase without Airbase's dependency
 * management.
 */
class TestVersions
{
    @Test
    void testVersionsOfAirbase()
            throws Exception
    {
        Map<String, String> airbase = versions(Path.of(System.getProperty("albis.airbase")));
        Map<String, String> plain = versions(Installation.current().repository().resolve("build/plain/pom.xml"));
        assertThat(Sets.difference(plain.keySet(), airbase.keySet())).as("versions that Airbase does not have").isEqualTo(ImmutableSet.of(
                "dep.hadoop.version",
                "dep.hadoop-slf4j.version",
                "dep.s3proxy.version",
                "dep.s3proxy-jackson-annotations.version"));
        assertThat(Maps.filterKeys(plain, airbase::containsKey)).isEqualTo(Maps.filterKeys(airbase, plain::containsKey));
    }

    @Test
    void testVersionOfJava()
            throws Exception
    {
        Path build = Installation.current().repository().resolve("build");
        assertThat(properties(build.resolve("plain/pom.xml"))).containsEntry("maven.compiler.release", properties(build.resolve("airbase/pom.xml")).get("project.build.targetJdk"));
    }

    /**
     * Returns the properties of a pom whose names are those of versions.
     */
    private static Map<String, String> versions(Path pom)
            throws Exception
    {
        return Maps.filterKeys(properties(pom), name -> name.startsWith("dep."));
    }

    private static Map<String, String> properties(Path pom)
            throws Exception
    {
        Element project = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile()).getDocumentElement();
        ImmutableMap.Builder<String, String> properties = ImmutableMap.builder();
        for (Node child = project.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child.getNodeName().equals("properties")) {
                for (Node property = child.getFirstChild(); property != null; property = property.getNextSibling()) {
                    if (property.getNodeType() == Node.ELEMENT_NODE) {
                        properties.put(property.getNodeName(), property.getTextContent());
                    }
                }
            }
        }
        return properties.buildOrThrow();
    }
}
