package io.albis.table.put;

import com.google.common.collect.ImmutableMap;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.model.TableException;
import io.albis.table.storage.LocalFolders;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Albis probes the behavior of a storage once, before anything depends on it. {@code TestS3Commits} tests a storage
 * that overwrites files.
 */
class TestStorageProbe
{
    @TempDir
    private Path root;

    @Test
    void testOnceAndWithoutATrace()
            throws IOException
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        AtomicInteger puts = new AtomicInteger();
        TrinoFileSystem counted = new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (operation.kind() == Kind.CREATE_EXCLUSIVE) {
                    puts.incrementAndGet();
                }
            }
        });
        StorageProbe probe = new StorageProbe();
        warehouse(counted, probe).checkStorage();
        assertThat(puts).hasValue(2);
        assertThat(files(fileSystem, ROOT)).isEmpty();
        warehouse(counted, probe).checkStorage();
        warehouse(counted, probe).createSchema("s", Optional.empty(), ImmutableMap.of());
        assertThat(puts).hasValue(3);
    }

    @Test
    void testStorageThatDoesNotAnswer()
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        AtomicInteger failures = new AtomicInteger(2);
        StorageProbe probe = new StorageProbe();
        Warehouse warehouse = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (operation.kind() == Kind.CREATE_EXCLUSIVE && failures.getAndDecrement() > 0) {
                    throw new IOException("Access denied");
                }
            }
        }), probe);
        assertThatThrownBy(warehouse::checkStorage)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("Access denied");
        // Writers probe the storage again; readers do not need the result
        assertThat(warehouse.listSchemas()).isEmpty();
        assertThatThrownBy(() -> warehouse.createSchema("s", Optional.empty(), ImmutableMap.of()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("Access denied");
        assertThat(warehouse.listSchemas()).isEmpty();
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        assertThat(warehouse.listSchemas()).containsExactly("s");
    }

    @Test
    void testNoHardLinks()
            throws IOException
    {
        PutByLink putByLink = new PutByLink(new LocalFolders(root), (target, existing) -> {
            throw new FileSystemException(target.toString(), existing.toString(), "Operation not permitted");
        });
        assertThatThrownBy(() -> new StorageProbe().check(new LocalFileSystem(root), putByLink, Location.of("local:///folder/file")))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(NOT_SUPPORTED))
                .hasMessageMatching("(?s)Location local:///folder/file cannot hold Albis tables: .* Operation not permitted\\. Files can be created there, but not hard links\\. Albis needs .*");
        assertThat(root.resolve("folder")).isEmptyDirectory();
    }

    @Test
    void testLinkThatFailsOnce()
            throws IOException
    {
        for (boolean made : new boolean[] {false, true}) {
            AtomicInteger links = new AtomicInteger();
            PutByLink putByLink = new PutByLink(new LocalFolders(root), (target, existing) -> {
                boolean failing = links.getAndIncrement() == 0;
                if (made || !failing) {
                    Files.createLink(target, existing);
                }
                if (failing) {
                    throw new FileSystemException(target.toString(), existing.toString(), "Input/output error");
                }
                return target;
            });
            new StorageProbe().check(new LocalFileSystem(root), putByLink, Location.of("local:///folder/file"));
            assertThat(root.resolve("folder")).isEmptyDirectory();
        }
    }

    private static Warehouse warehouse(TrinoFileSystem fileSystem, StorageProbe probe)
    {
        return new Warehouse(fileSystem, ROOT, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withProbe(probe));
    }
}
