package io.albis.benchmarks.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class TestFolderFiles
{
    @Test
    void testNewFiles(@TempDir Path folder)
            throws IOException
    {
        Files.createDirectories(folder.resolve("a/b"));
        Files.write(folder.resolve("a/b/old"), new byte[10]);
        Files.write(folder.resolve("overwritten"), new byte[20]);
        Files.write(folder.resolve("deleted"), new byte[40]);
        FolderFiles before = FolderFiles.list(folder);
        assertThat(before.bytesSince(before)).isEqualTo(0);

        Files.write(folder.resolve("a/b/new"), new byte[100]);
        Files.write(folder.resolve("overwritten"), new byte[200]);
        Files.delete(folder.resolve("deleted"));
        Files.write(folder.resolve(".trinoSchema"), new byte[1000]);
        assertThat(FolderFiles.list(folder).bytesSince(before)).isEqualTo(300);
    }
}
