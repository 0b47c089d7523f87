package io.albis.trino;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A file that the storage cannot read. It is a link to {@code /proc/self/mem}: the kernel opens that file, and answers
 * each read of its start with an input/output error.
 */
public final class FailingFile
{
    private static final Path TARGET = Path.of("/proc/self/mem");

    private FailingFile() {}

    /**
     * Skips the test on an operating system that has no such file.
     */
    public static void assumeAvailable()
    {
        assumeTrue(Files.exists(TARGET), "only Linux has such a file");
    }

    /**
     * Replaces a file.
     */
    public static void replace(Path file)
            throws IOException
    {
        Files.delete(file);
        Files.createSymbolicLink(file, TARGET);
    }
}
