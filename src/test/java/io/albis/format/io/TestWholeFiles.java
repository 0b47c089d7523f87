package io.albis.format.io;

import io.airlift.slice.Slices;
import io.albis.filesystem.TestingForwardingFileSystem;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestWholeFiles
{
    @TempDir
    Path folder;

    @Test
    void testFailedRenameLeavesNoTemporaryFile()
            throws IOException
    {
        TrinoFileSystem fileSystem = new TestingForwardingFileSystem(new LocalFileSystem(folder))
        {
            @Override
            public void renameFile(Location source, Location target)
                    throws IOException
            {
                throw new IOException("rename failed");
            }
        };
        assertThatThrownBy(() -> WholeFiles.create(fileSystem, Location.of("local:///temporary"), Location.of("local:///rows/file"), Slices.utf8Slice("content")))
                .isInstanceOf(IOException.class)
                .hasMessage("rename failed");
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }
}
