package io.albis.table.put;

import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.model.TableException;
import io.albis.table.storage.LocalFolders;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestPutIfAbsent
{
    private static final int THREADS = 5;
    private static final int ROUNDS = 60;
    private static final int LENGTH = 100_000;

    @TempDir
    private Path root;

    @Test
    void testExclusiveCreate()
            throws Exception
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        race(fileSystem, new PutByExclusiveCreate(fileSystem), Location.of("memory:///folder"));
    }

    @Test
    void testRename()
            throws Exception
    {
        // The rename refuses an existing target, as the NameNode does
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        race(fileSystem, new PutByRename(fileSystem), Location.of("memory:///folder"));
    }

    @Test
    void testLink()
            throws Exception
    {
        race(new LocalFileSystem(root), new PutByLink(root), Location.of("local:///folder"));
        race(new LocalFileSystem(root), new PutByLink(root), Location.of("file:///other/folder"));
        try (Stream<Path> files = Files.walk(root)) {
            assertThat(files.filter(file -> file.toString().endsWith(".tmp"))).isEmpty();
        }
    }

    @Test
    void testLinkStaysInsideOfTheRoot()
    {
        PutByLink putByLink = new PutByLink(root.resolve("inner"));
        assertThatThrownBy(() -> putByLink.create(Location.of("local:///../file"), new byte[1]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void testExistingFileIsKept()
            throws IOException
    {
        PutByLink putByLink = new PutByLink(root);
        Location location = Location.of("local:///file");
        putByLink.create(location, new byte[] {1});
        assertThatThrownBy(() -> putByLink.create(location, new byte[] {2}))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(SmallFiles.read(new LocalFileSystem(root), location).orElseThrow()).containsExactly(1);
    }

    @Test
    void testFailureBeforeThePutIsNoDoubt()
            throws IOException
    {
        // A file takes the place of the folder, so nothing can be written there, as on a full disk
        Files.writeString(root.resolve("folder"), "in the way");
        LocalFileSystem fileSystem = new LocalFileSystem(root);
        ExclusiveFiles files = new ExclusiveFiles(fileSystem, new PutIfAbsentSelector(fileSystem, Optional.of(new LocalFolders(root))), POLICY);
        assertThatThrownBy(() -> files.create(Location.of("local:///folder/file"), new byte[1]))
                .isInstanceOf(IOException.class);
    }

    /**
     * A network file system that repeats a request after a lost response reports that the link failed, although it was
     * created.
     */
    @Test
    void testLinkThatFailedAndWasMade()
            throws IOException
    {
        LocalFileSystem fileSystem = new LocalFileSystem(root);
        PutByLink failing = new PutByLink(new LocalFolders(root), (target, existing) -> {
            Files.createLink(target, existing);
            throw new FileSystemException(target.toString(), existing.toString(), "Input/output error");
        });
        Location location = Location.of("local:///folder/file");
        assertThat(exclusiveFiles(fileSystem, failing).create(location, new byte[] {1})).isTrue();
        assertThat(exclusiveFiles(fileSystem, failing).create(location, new byte[] {2})).isFalse();

        TrinoFileSystem silent = new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                throw new IOException("Stale file handle");
            }
        });
        Location other = Location.of("local:///folder/other");
        assertThatThrownBy(() -> exclusiveFiles(silent, failing).create(other, new byte[] {1}))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(OUTCOME_UNKNOWN))
                .cause().hasMessageContaining("Input/output error");
        assertThat(SmallFiles.read(fileSystem, other).orElseThrow()).containsExactly(1);
    }

    @Test
    void testNameThatIsNotOnTheDisk()
    {
        LocalFileSystem fileSystem = new LocalFileSystem(root);
        PutByLink moved = new PutByLink(new LocalFolders(root), (target, existing) -> {
            Files.createLink(target, existing);
            return Files.move(target.getParent(), target.getParent().resolveSibling("moved"));
        });
        assertThatThrownBy(() -> exclusiveFiles(fileSystem, moved).create(Location.of("local:///folder/file"), new byte[] {1}))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(OUTCOME_UNKNOWN))
                .hasMessageContaining("it is unknown whether it survives a power failure")
                .cause().hasMessageContaining("Cannot force folder ");
    }

    private static ExclusiveFiles exclusiveFiles(TrinoFileSystem fileSystem, PutByLink putByLink)
    {
        PutIfAbsentSelector selector = new PutIfAbsentSelector(new PutByExclusiveCreate(fileSystem), new PutByRename(fileSystem), Optional.of(putByLink));
        return new ExclusiveFiles(fileSystem, selector, POLICY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://bucket/folder", "gs://bucket/folder", "abfss://container@account.dfs.core.windows.net/folder", "memory:///folder"})
    void testSelectionOnObjectStore(String location)
    {
        assertThat(selector().select(Location.of(location))).isInstanceOf(PutByExclusiveCreate.class);
    }

    @Test
    void testSelection()
    {
        assertThat(selector().select(Location.of("hdfs://namenode:9000/folder"))).isInstanceOf(PutByRename.class);
        assertThat(selector().select(Location.of("local:///folder"))).isInstanceOf(PutByLink.class);
        assertThat(selector().select(Location.of("file:///folder"))).isInstanceOf(PutByLink.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"viewfs://cluster/folder", "o3fs://host/folder", "/folder"})
    void testSelectionWithoutPutIfAbsent(String location)
    {
        assertThatThrownBy(() -> selector().select(Location.of(location)))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("Supported schemes are hdfs");
    }

    private PutIfAbsentSelector selector()
    {
        return new PutIfAbsentSelector(new MemoryFileSystem(), Optional.of(new LocalFolders(root)));
    }

    /**
     * Lets threads put different files with the same name at once. One thread wins, and all of them then read its
     * complete bytes.
     */
    public static void race(TrinoFileSystem fileSystem, PutIfAbsent putIfAbsent, Location folder)
            throws Exception
    {
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
            for (int round = 0; round < ROUNDS; round++) {
                Location location = folder.appendPath("file-" + round);
                List<Future<Boolean>> results = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    byte[] data = new byte[LENGTH];
                    Arrays.fill(data, (byte) thread);
                    results.add(executor.submit(() -> {
                        barrier.await();
                        boolean created = create(putIfAbsent, location, data);
                        byte[] found = SmallFiles.read(fileSystem, location).orElseThrow();
                        assertThat(found).hasSize(LENGTH);
                        byte[] expected = new byte[LENGTH];
                        Arrays.fill(expected, found[0]);
                        assertThat(found).isEqualTo(expected);
                        assertThat(Arrays.equals(found, data)).isEqualTo(created);
                        return created;
                    }));
                }
                int winners = 0;
                for (Future<Boolean> result : results) {
                    winners += result.get() ? 1 : 0;
                }
                assertThat(winners).isEqualTo(1);
            }
        }
    }

    private static boolean create(PutIfAbsent putIfAbsent, Location location, byte[] data)
    {
        try {
            putIfAbsent.create(location, data);
            return true;
        }
        catch (IOException e) {
            return false;
        }
    }
}
