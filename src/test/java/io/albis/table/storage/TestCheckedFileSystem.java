package io.albis.table.storage;

import com.google.common.collect.ImmutableList;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static io.albis.table.storage.CheckedFileSystem.checked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Clients of a local file system can delete the same files.
 */
@Timeout(300)
final class TestCheckedFileSystem
{
    private static final Location FOLDER = Location.of("local:///folder");

    @TempDir
    private Path root;
    private TrinoFileSystem fileSystem;

    @BeforeEach
    void setUp()
    {
        fileSystem = checked(new LocalFileSystem(root));
    }

    private Location create(String name)
            throws IOException
    {
        Location location = FOLDER.appendPath(name);
        fileSystem.newOutputFile(location).createOrOverwrite(new byte[1]);
        return location;
    }

    @Test
    void testDeleteMissingFiles()
            throws IOException
    {
        fileSystem.deleteFiles(ImmutableList.of(create("a"), FOLDER.appendPath("missing"), create("b")));
        fileSystem.deleteFile(FOLDER.appendPath("missing"));
        assertThat(root.resolve("folder")).isEmptyDirectory();
        fileSystem.deleteDirectory(FOLDER.appendPath("missing"));
    }

    @Test
    void testDeleteFileAsFolder()
            throws IOException
    {
        Location file = create("a");
        assertThatThrownBy(() -> fileSystem.deleteDirectory(file)).isInstanceOf(IOException.class);
        assertThat(root.resolve("folder/a")).exists();
    }

    @Test
    void testConcurrentDeletionOfFolder()
            throws Exception
    {
        try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
            for (int round = 0; round < 20; round++) {
                for (int file = 0; file < 200; file++) {
                    create(file % 10 + "/" + file);
                }
                List<Future<?>> deletions = new ArrayList<>();
                for (int client = 0; client < 3; client++) {
                    deletions.add(executor.submit(() -> {
                        fileSystem.deleteDirectory(FOLDER);
                        return null;
                    }));
                }
                for (Future<?> deletion : deletions) {
                    deletion.get();
                }
                assertThat(Files.exists(root.resolve("folder"))).isFalse();
            }
        }
    }
}
