package io.albis.placement;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the property in docs/placement.md is the one that Hadoop reads, and that it names the policy.
 */
class TestDocumentedPolicy
{
    private static final Pattern PROPERTY = Pattern.compile("<name>(?<name>.*)</name>\\s*<value>(?<value>.*)</value>");

    @Test
    void testProperty()
            throws IOException
    {
        Matcher property = PROPERTY.matcher(Files.readString(Path.of("../docs/placement.md")));
        assertThat(property.find()).isTrue();
        assertThat(property.group("name")).isEqualTo(DFS_BLOCK_REPLICATOR_CLASSNAME_KEY);
        assertThat(property.group("value")).isEqualTo(AlbisBlockPlacementPolicy.class.getName());
    }
}
