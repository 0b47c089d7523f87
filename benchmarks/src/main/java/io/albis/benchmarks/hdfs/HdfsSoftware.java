package io.albis.benchmarks.hdfs;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

import static java.util.Objects.requireNonNull;

/**
 * Hadoop and the block placement policy of Albis, as this repository builds them. They are not on the class path of the
 * benchmarks, because the connectors use another version of Hadoop.
 *
 * @param fixture folder that the module hdfs-fixture is built in
 * @param policy jar or folder with the block placement policy
 */
public record HdfsSoftware(Path fixture, Path policy)
{
    private static final String BUILD = "mvn -f build/pom.xml package -pl :albis-hdfs-fixture,:albis-placement -DskipTests";

    public HdfsSoftware
    {
        requireNonNull(fixture, "fixture is null");
        requireNonNull(policy, "policy is null");
    }

    /**
     * Returns the class path of a NameNode or DataNode.
     *
     * @throws IllegalArgumentException if a part of it has not been built
     */
    String classPath()
    {
        return String.join(
                File.pathSeparator,
                built(fixture.resolve("classes")).toString(),
                built(fixture.resolve("lib")).resolve("*").toString(),
                built(policy).toString());
    }

    private static Path built(Path path)
    {
        if (!Files.exists(path)) {
            throw new IllegalArgumentException("There is no %s. To build it, run %s".formatted(path, BUILD));
        }
        return path.toAbsolutePath();
    }
}
