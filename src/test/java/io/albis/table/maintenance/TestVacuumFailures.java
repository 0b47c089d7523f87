package io.albis.table.maintenance;

import com.google.common.collect.ImmutableMap;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.model.NewTable;
import io.albis.table.path.TablePaths;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Parts of the storage fail. Vacuum frees the others, and reports all failures.
 */
@Timeout(120)
final class TestVacuumFailures
        extends BaseVacuumTest
{
    private static final Location NAMES = Location.of("memory:///warehouse/s/.schema/");

    private final Map<String, Supplier<IOException>> failures = new HashMap<>();
    private Warehouse failing;
    // Vacuum frees it after all tables
    private Location temporary;

    @BeforeEach
    void setUpFailures()
    {
        failures.clear();
        failing = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                Supplier<IOException> failure = failures.get(operation.kind() + " " + operation.location());
                if (failure != null) {
                    throw failure.get();
                }
            }
        }));
        temporary = NAMES.appendPath("." + UUID.randomUUID() + ".tmp");
        write(temporary);
    }

    private void fail(Kind kind, Location location, String message)
    {
        failures.put(kind + " " + location, () -> new IOException(message));
    }

    /**
     * Returns a table that was dropped, and whose files cannot be deleted.
     */
    private AlbisTable dropped(String name)
    {
        AlbisTable table = create(name);
        warehouse.dropTable(table);
        fail(Kind.DELETE, table.folder().appendPath(TablePaths.MANIFESTS), name);
        return table;
    }

    private boolean exists(Location file)
    {
        return files(file.parentDirectory()).contains(file.toString());
    }

    @Test
    void testOutcomeIsUnknown()
    {
        NewTable load = newTable("load");
        rowGroup(load.folder());
        fail(Kind.CREATE_EXCLUSIVE, new TablePaths(load.folder()).version(1), "load");
        AlbisTable table = create("t");
        warehouse.dropTable(table);

        assertRefused(OUTCOME_UNKNOWN, () -> vacuum(failing));
        assertThat(contents(table.folder())).isEmpty();
        assertThat(exists(temporary)).isFalse();
        assertThat(contents(load.folder())).isNotEmpty();
        failures.clear();
        assertThat(vacuum(failing).freed()).hasSize(1);
        assertThat(contents(load.folder())).isEmpty();
    }

    @Test
    void testNamesCannotBeListed()
    {
        dropped("t");
        fail(Kind.LIST, NAMES, "names");
        warehouse.createSchema("a", Optional.empty(), ImmutableMap.of());
        warehouse.createSchema("z", Optional.empty(), ImmutableMap.of());
        Location first = Location.of("memory:///warehouse/a/.schema").appendPath("." + UUID.randomUUID() + ".tmp");
        Location last = Location.of("memory:///warehouse/z/.schema").appendPath("." + UUID.randomUUID() + ".tmp");
        write(first);
        write(last);

        assertThatThrownBy(() -> vacuum(failing))
                .isInstanceOf(UncheckedIOException.class)
                .cause().hasMessage("t").satisfies(failure -> assertThat(failure.getSuppressed()).singleElement().satisfies(names -> assertThat(names).hasMessage("names")));
        assertThat(exists(first)).isFalse();
        assertThat(exists(last)).isFalse();
        assertThat(exists(temporary)).isTrue();
    }

    @Test
    void testQueryIsCanceled()
    {
        dropped("t");
        failures.put(Kind.DELETE + " " + temporary, () -> new InterruptedIOException("canceled"));
        assertThatThrownBy(() -> vacuum(failing))
                .isInstanceOf(UncheckedIOException.class)
                .cause().isInstanceOf(InterruptedIOException.class);
    }

    @Test
    void testManyFailures()
    {
        for (int i = 0; i < 9; i++) {
            dropped("t" + i);
        }
        assertThatThrownBy(() -> vacuum(failing)).cause().satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(8));
        assertThat(exists(temporary)).isFalse();
        write(temporary);
        dropped("last");
        assertThatThrownBy(() -> vacuum(failing)).cause().satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(9));
        assertThat(exists(temporary)).isTrue();
        failures.clear();
        assertThat(vacuum(failing).freed()).hasSize(11);
    }
}
