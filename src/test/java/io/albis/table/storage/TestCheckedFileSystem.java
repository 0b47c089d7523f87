package io.albis.table.storage;

import com.google.common.collect.ImmutableList;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.put.SmallFiles;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.local.LocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

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

    /**
     * The JDK reports a file that cannot be opened like one that does not exist.
     */
    @Test
    void testFileThatCannotBeOpened()
            throws IOException
    {
        Location file = create("a");
        for (int failures = 0; failures < 4; failures++) {
            TrinoInputFile input = unopenable(failures).newInputFile(file);
            if (failures < 2) {
                // The file could have appeared in between
                input.newStream().close();
                continue;
            }
            assertThatThrownBy(input::newStream)
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("Cannot open file local:///folder/a, which exists: Too many open files");
        }
        TrinoFileSystem unopenable = unopenable(Integer.MAX_VALUE);
        assertThatThrownBy(unopenable.newInputFile(file)::newInput).isExactlyInstanceOf(IOException.class);
        assertThatThrownBy(unopenable.newInputFile(FOLDER.appendPath("missing"))::newStream).isInstanceOf(FileNotFoundException.class);
        assertThat(SmallFiles.read(fileSystem, file)).hasValue(new byte[1]);
        assertThat(SmallFiles.read(unopenable, FOLDER.appendPath("missing"))).isEmpty();
        assertThatThrownBy(() -> SmallFiles.read(unopenable, file)).isExactlyInstanceOf(IOException.class);
    }

    /**
     * Returns a file system that fails to open as many files.
     */
    private TrinoFileSystem unopenable(int failures)
    {
        AtomicInteger opened = new AtomicInteger();
        return checked(new HookedFileSystem(new LocalFileSystem(root), new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (operation.kind() == Kind.READ && opened.incrementAndGet() <= failures) {
                    throw new FileNotFoundException("Too many open files");
                }
            }
        }));
    }
}
