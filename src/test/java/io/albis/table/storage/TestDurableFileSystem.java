package io.albis.table.storage;

import io.albis.table.storage.FileEvents.Event;
import io.trino.filesystem.Location;
import io.trino.filesystem.local.LocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

@Execution(SAME_THREAD)
class TestDurableFileSystem
{
    @TempDir
    private Path root;

    @Test
    void testFolders()
            throws Exception
    {
        DurableFileSystem fileSystem = fileSystem();
        assertThat(forced(() -> write(fileSystem, "a/b/one"))).containsExactly("a/b/one", "a/b", "a", "");
        assertThat(forced(() -> write(fileSystem, "a/b/two"))).containsExactly("a/b/two", "a/b");
        assertThat(forced(() -> write(fileSystem, "a/c/three"))).containsExactly("a/c/three", "a/c", "a");
        // Another process may have created the folders without forcing them
        assertThat(forced(() -> write(fileSystem(), "a/b/four"))).containsExactly("a/b/four", "a/b", "a", "");
    }

    /**
     * The new folder has the same name, and possibly the same inode number, but is a different folder.
     */
    @Test
    void testFolderThatIsMadeAgain()
            throws Exception
    {
        DurableFileSystem fileSystem = fileSystem();
        write(fileSystem, "a/b/one");
        new LocalFileSystem(root).deleteDirectory(Location.of("local:///a/b/"));
        assertThat(forced(() -> write(fileSystem, "a/b/one"))).containsExactly("a/b/one", "a/b", "a");
    }

    @Test
    void testRemoval()
            throws Exception
    {
        DurableFileSystem fileSystem = fileSystem();
        write(fileSystem, "a/b/one");
        assertThat(forced(() -> fileSystem.deleteFile(location("a/b/one")))).containsExactly("a/b");
        assertThat(forced(() -> fileSystem.deleteFile(location("a/no/one")))).containsExactly("a");
    }

    @Test
    void testRename()
            throws Exception
    {
        DurableFileSystem fileSystem = fileSystem();
        write(fileSystem, "unfinished/one");
        new LocalFileSystem(root).createDirectory(location("rows"));
        assertThat(forced(() -> fileSystem.renameFile(location("unfinished/one"), location("rows/one")))).containsExactly("rows", "", "unfinished");
        write(fileSystem, "temporary/schema");
        assertThat(forced(() -> fileSystem.renameDirectory(location("temporary"), location("schema")))).containsExactly("", "");
    }

    @Test
    void testHintsAreNotForced()
            throws Exception
    {
        assertThat(forced(() -> fileSystem().newOutputFile(location("a/hint")).createOrOverwrite(new byte[1]))).isEmpty();
        assertThat(root.resolve("a/hint")).exists();
    }

    @Test
    void testErrorOfForceIsErrorOfClose()
            throws IOException
    {
        OutputStream output = fileSystem().newOutputFile(location("a/b/one")).create();
        output.write(1);
        Files.move(root.resolve("a/b"), root.resolve("moved"));
        assertThatThrownBy(output::close)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Cannot force folder %s to disk".formatted(root.resolve("a/b")));
        // The second close of a try block does not report the error again
        output.close();
    }

    @Test
    void testInterrupt()
            throws Exception
    {
        write(fileSystem(), "a/b/one");
        List<String> forced = forced(() -> {
            Thread.currentThread().interrupt();
            new LocalFolders(root).forceNames(root.resolve("a/b/one"));
            assertThat(Thread.interrupted()).isTrue();
        });
        assertThat(forced).containsExactly("a/b", "a", "");
    }

    private DurableFileSystem fileSystem()
    {
        return new DurableFileSystem(new LocalFileSystem(root), new LocalFolders(root));
    }

    private static Location location(String path)
    {
        return Location.of("local:///" + path);
    }

    private static void write(DurableFileSystem fileSystem, String path)
            throws IOException
    {
        try (OutputStream output = fileSystem.newOutputFile(location(path)).create()) {
            output.write(1);
        }
    }

    private List<String> forced(FileEvents.Action action)
            throws Exception
    {
        return FileEvents.record(root, action).stream()
                .filter(Event::force)
                .map(event -> root.relativize(event.path()).toString())
                .collect(toImmutableList());
    }
}
