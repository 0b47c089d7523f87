package io.albis.filesystem;

import com.google.common.collect.ImmutableList;
import io.albis.table.put.CommitPolicy;
import io.albis.table.put.ExclusiveFiles;
import io.albis.table.put.PutIfAbsentSelector;
import io.albis.table.storage.DurableFileSystem;
import io.albis.table.storage.LocalFolders;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputStream;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestGatedFiles
{
    private static final CommitPolicy POLICY = new CommitPolicy(Duration.ZERO, Duration.ZERO, Duration.ZERO, 2);
    private static final byte[] DATA = "data".getBytes(UTF_8);

    @TempDir
    private Path folder;

    /**
     * Lets a number of changes through, and then nothing any more.
     */
    private static final class ClosingGate
            implements StorageGate
    {
        private int left;

        private ClosingGate(int changes)
        {
            left = changes;
        }

        @Override
        public <T> T read(Call<T> call)
                throws IOException
        {
            checkOpen();
            return call.call();
        }

        @Override
        public <T> T change(Call<T> call)
                throws IOException
        {
            left--;
            checkOpen();
            return call.call();
        }

        private void checkOpen()
                throws IOException
        {
            if (left < 0) {
                throw new IOException("closed");
            }
        }
    }

    private interface Use
    {
        void run(TrinoFileSystem fileSystem)
                throws IOException;
    }

    /**
     * Each operation of a file system that Albis uses does the same with and without a gate.
     */
    @Test
    void testOperations()
            throws IOException
    {
        Use use = fileSystem -> {
            try (OutputStream output = fileSystem.newOutputFile(Location.of("local:///a/b/streamed")).create()) {
                output.write('x');
                output.write(DATA);
            }
            fileSystem.newOutputFile(Location.of("local:///a/whole")).createOrOverwrite(new byte[10]);
            fileSystem.newOutputFile(Location.of("local:///a/whole")).createOrOverwrite(DATA);
            fileSystem.renameFile(Location.of("local:///a/whole"), Location.of("local:///a/c/renamed"));
            for (String file : ImmutableList.of("deleted", "together", "with/folder", "with/its/folder")) {
                fileSystem.newOutputFile(Location.of("local:///d/" + file)).createOrOverwrite(DATA);
            }
            fileSystem.deleteFile(Location.of("local:///d/deleted"));
            fileSystem.deleteFiles(ImmutableList.of(Location.of("local:///d/together")));
            fileSystem.deleteDirectory(Location.of("local:///d/with"));
        };
        use.run(new LocalFileSystem(Files.createDirectory(folder.resolve("plain"))));
        TrinoFileSystem gated = local(Files.createDirectory(folder.resolve("gated")), new ClosingGate(1000));
        use.run(gated);
        assertThat(files(folder.resolve("gated")))
                .isEqualTo(files(folder.resolve("plain")))
                .containsExactlyInAnyOrder("a", "a/b", "a/b/streamed", "a/c", "a/c/renamed", "d");

        Location streamed = Location.of("local:///a/b/streamed");
        assertThat(FileBytes.read(gated, streamed)).asString(UTF_8).isEqualTo("xdata");
        try (TrinoInput input = gated.newInputFile(streamed).newInput(); TrinoInputStream stream = gated.newInputFile(streamed).newStream()) {
            assertThat(input.readTail(4).toStringUtf8()).isEqualTo("data");
            stream.seek(2);
            assertThat(stream.readAllBytes()).asString(UTF_8).isEqualTo("ata");
        }
        assertThat(gated.newInputFile(streamed).exists()).isTrue();
        assertThat(gated.newInputFile(Location.of("local:///a/b/missing")).exists()).isFalse();
        assertThat(gated.newInputFile(streamed).lastModified()).isEqualTo(Files.getLastModifiedTime(folder.resolve("gated/a/b/streamed")).toInstant());
        assertThat(list(gated, "local:///a")).containsExactlyInAnyOrder("local:///a/b/streamed", "local:///a/c/renamed");
        assertThat(gated.listDirectories(Location.of("local:///a/"))).containsExactlyInAnyOrder(Location.of("local:///a/b/"), Location.of("local:///a/c/"));
        assertThat(gated.directoryExists(Location.of("local:///a/b"))).contains(true);
    }

    /**
     * Whatever a process that is killed has done to create a file, another process can create it, unless the first one
     * has done so.
     */
    @Test
    void testExclusiveFile()
            throws IOException
    {
        Location location = Location.of("local:///a/file");
        Set<List<String>> left = new HashSet<>();
        for (int changes = 0; ; changes++) {
            Path root = Files.createDirectory(folder.resolve("changes" + changes));
            ClosingGate gate = new ClosingGate(changes);
            boolean created = create(GatedFiles.gated(root, gate), gate, location, "first".getBytes(UTF_8));
            List<String> files = files(root);
            left.add(files.stream().map(file -> file.replaceFirst("[0-9a-f-]{20,}", "")).toList());
            boolean exists = files.contains("a/file");
            if (created) {
                assertThat(exists).isTrue();
            }
            assertThat(create(root, new ClosingGate(1000), location, "second".getBytes(UTF_8))).isEqualTo(!exists);
            assertThat(root.resolve("a/file")).hasContent(exists ? "first" : "second");
            if (gate.left > 0) {
                assertThat(created).isTrue();
                break;
            }
        }
        // Nothing, a folder, a temporary file, and the file with and without it
        assertThat(left).as("what remained").hasSize(5);
    }

    private static boolean create(Path root, StorageGate gate, Location location, byte[] data)
    {
        TrinoFileSystem fileSystem = new GatedFileSystem(new LocalFileSystem(root), gate);
        try {
            return new ExclusiveFiles(fileSystem, new PutIfAbsentSelector(fileSystem, Optional.of(new LocalFolders(root))), POLICY).create(location, data);
        }
        catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /**
     * A local file that a process was writing has what it had written.
     */
    @Test
    void testUnfinishedLocalFile()
            throws IOException
    {
        // A folder, a file, and the first bytes, which Trino's stream writes in pieces of a few kilobytes
        ClosingGate gate = new ClosingGate(3);
        OutputStream output = local(folder, gate).newOutputFile(Location.of("local:///a/file")).create();
        output.write(new byte[100_000]);
        assertThatThrownBy(() -> output.write(new byte[100_000])).hasMessageContaining("closed");
        assertThatThrownBy(output::close).hasMessageContaining("closed");
        assertThat(folder.resolve("a/file")).hasSize(100_000);
    }

    private static TrinoFileSystem local(Path folder, StorageGate gate)
    {
        Path gated = GatedFiles.gated(folder, gate);
        return new DurableFileSystem(new GatedFileSystem(new LocalFileSystem(gated), gate), new LocalFolders(gated));
    }

    @Test
    void testUnfinishedObject()
            throws IOException
    {
        TrinoFileSystem storage = new MemoryFileSystemFactory().create(ofUser("test"));
        TrinoFileSystem gated = new GatedRemoteFileSystem(storage, new ClosingGate(1), GatedRemoteFileSystem.Kind.OBJECT_STORE);
        for (String name : ImmutableList.of("complete", "unfinished")) {
            OutputStream output = gated.newOutputFile(Location.of("memory:///" + name)).create();
            output.write(DATA);
            if (name.equals("complete")) {
                output.close();
            }
            else {
                assertThatThrownBy(output::close).hasMessageContaining("closed");
            }
        }
        assertThat(list(storage, "memory:///")).containsExactly("memory:///complete");
    }

    /**
     * A client that deletes a folder of an object store may die in the middle.
     */
    @Test
    void testDeletionOfObjects()
            throws IOException
    {
        TrinoFileSystem storage = new MemoryFileSystemFactory().create(ofUser("test"));
        for (int file = 0; file < 4; file++) {
            storage.newOutputFile(Location.of("memory:///folder/" + file)).createOrOverwrite(DATA);
        }
        TrinoFileSystem gated = new GatedRemoteFileSystem(storage, new ClosingGate(3), GatedRemoteFileSystem.Kind.OBJECT_STORE);
        gated.deleteFiles(ImmutableList.of(Location.of("memory:///folder/0")));
        assertThatThrownBy(() -> gated.deleteDirectory(Location.of("memory:///folder"))).hasMessageContaining("closed");
        assertThat(list(storage, "memory:///folder")).hasSize(1);
    }

    private static List<String> list(TrinoFileSystem fileSystem, String location)
            throws IOException
    {
        List<String> files = new ArrayList<>();
        FileIterator iterator = fileSystem.listFiles(Location.of(location));
        while (iterator.hasNext()) {
            files.add(iterator.next().location().toString());
        }
        return files;
    }

    private static List<String> files(Path root)
            throws IOException
    {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(path -> !path.equals(root)).map(path -> root.relativize(path).toString()).sorted().toList();
        }
    }
}
