package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.TestTier;
import io.albis.filesystem.FileBytes;
import io.albis.filesystem.FileDamage;
import io.albis.format.FaultyFileSystem.Fault;
import io.albis.format.io.AlbisDataException;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.concurrent.Executors.newCachedThreadPool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests a folder without a table: concurrent writers and readers, and writers that fail at any point.
 */
final class TestAlbisFolder
{
    private static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);
    private static final AlbisColumn TEXT = AlbisColumn.make(2, "text", VARCHAR);
    private static final AlbisSchema SCHEMA = AlbisSchema.makeSchema(AlbisColumnGroup.make(ID), AlbisColumnGroup.make(TEXT));
    private static final AlbisSchema OTHER_SCHEMA = AlbisSchema.makeSchema(AlbisColumnGroup.make(ID, TEXT));
    private static final int ROWS = 2;
    // each row is a row group
    private static final WriterOptions OPTIONS = WriterOptions.DEFAULTS.withRowGroupRows(1);
    private static final WriterOptions ONE_ROW_GROUP = WriterOptions.DEFAULTS;

    @TempDir
    Path temporary;

    private TrinoFileSystem fileSystem(String scheme)
    {
        return scheme.equals("local") ? new LocalFileSystem(temporary) : new MemoryFileSystemFactory().create(ofUser("test"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "memory"})
    void testDeathAtEveryByte(String scheme)
            throws IOException
    {
        TrinoFileSystem fileSystem = fileSystem(scheme);
        Location folder = Location.of(scheme + ":///rows");
        write(fileSystem, folder, SCHEMA, OPTIONS, ROWS);
        Random random = new Random();
        long steps = 0;
        FaultyFileSystem dying;
        do {
            dying = new FaultyFileSystem(fileSystem, Fault.DEATH, steps);
            writeAndDie(dying, folder);
            // either all rows of a writer are visible, or none
            assertThat(count(fileSystem, folder)).as("after %s steps", steps).isEqualTo(ROWS + (dying.hasFailed() ? 0 : ROWS));
            assertThat(AlbisSchema.read(fileSystem, folder, typeId -> typeId.equals("bigint") ? BIGINT : VARCHAR)).isEqualTo(SCHEMA);
            // an object appears when it is complete, so there are fewer intermediate states
            steps += scheme.equals("local") && TestTier.isComplete() ? 1 : 1 + random.nextInt(13);
        }
        while (dying.hasFailed());
        assertThat(steps).isGreaterThan(500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "memory"})
    void testDeathOfTheFirstWriter(String scheme)
            throws IOException
    {
        TrinoFileSystem fileSystem = fileSystem(scheme);
        long steps = 0;
        FaultyFileSystem dying;
        do {
            Location folder = Location.of(scheme + ":///rows" + steps);
            dying = new FaultyFileSystem(fileSystem, Fault.DEATH, steps);
            writeAndDie(dying, folder);
            write(fileSystem, folder, SCHEMA, ONE_ROW_GROUP, ROWS);
            assertThat(count(fileSystem, folder)).as("after %s steps", steps).isEqualTo(ROWS + (dying.hasFailed() ? 0 : ROWS));
            // the schema comes first
            steps += steps < 300 ? 1 : 17;
        }
        while (dying.hasFailed());
        assertThat(steps).isGreaterThan(500);
    }

    private static void writeAndDie(FaultyFileSystem dying, Location folder)
            throws IOException
    {
        try {
            write(dying, folder, SCHEMA, OPTIONS, ROWS);
        }
        catch (IOException e) {
            assertThat(dying.hasFailed()).as(e.toString()).isTrue();
        }
    }

    @Test
    void testWritersAndReadersAtOnce()
            throws Exception
    {
        int writers = 6;
        int rounds = 8;
        TrinoFileSystem fileSystem = new LocalFileSystem(temporary);
        Location folder = Location.of("local:///rows");
        AtomicBoolean finished = new AtomicBoolean();
        try (ExecutorService executor = newCachedThreadPool()) {
            CountDownLatch started = new CountDownLatch(1);
            List<Future<?>> writing = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                writing.add(executor.submit(() -> {
                    started.await();
                    for (int round = 0; round < rounds; round++) {
                        // byte by byte, so that others see every state of a file
                        write(new FaultyFileSystem(fileSystem, Fault.DEATH, Long.MAX_VALUE), folder, SCHEMA, OPTIONS, ROWS);
                    }
                    return null;
                }));
            }
            List<Future<Integer>> reading = new ArrayList<>();
            for (int reader = 0; reader < 3; reader++) {
                reading.add(executor.submit(() -> {
                    started.await();
                    int reads = 0;
                    while (!finished.get()) {
                        // either all rows of a writer, or none
                        assertThat(count(fileSystem, folder) % ROWS).isZero();
                        reads++;
                    }
                    return reads;
                }));
            }
            started.countDown();
            List<Throwable> failures = new ArrayList<>();
            for (Future<?> writer : writing) {
                collect(writer, failures);
            }
            finished.set(true);
            for (Future<Integer> reader : reading) {
                collect(reader, failures);
            }
            assertThat(failures).isEmpty();
        }
        assertThat(count(fileSystem, folder)).isEqualTo(writers * rounds * ROWS);
    }

    private static void collect(Future<?> future, List<Throwable> failures)
            throws InterruptedException
    {
        try {
            future.get();
        }
        catch (ExecutionException e) {
            failures.add(e.getCause());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "memory"})
    void testTwoSchemasAtOnce(String scheme)
            throws Exception
    {
        TrinoFileSystem fileSystem = fileSystem(scheme);
        try (ExecutorService executor = newCachedThreadPool()) {
            for (int round = 0; round < 60; round++) {
                Location folder = Location.of("%s:///rows%s".formatted(scheme, round));
                CountDownLatch started = new CountDownLatch(1);
                List<AlbisSchema> schemas = ImmutableList.of(SCHEMA, OTHER_SCHEMA, SCHEMA, OTHER_SCHEMA);
                List<Future<Boolean>> writers = new ArrayList<>();
                for (AlbisSchema schema : schemas) {
                    Callable<Boolean> writer = () -> {
                        started.await();
                        try {
                            write(fileSystem, folder, schema, ONE_ROW_GROUP, ROWS);
                            return true;
                        }
                        catch (IllegalArgumentException e) {
                            assertThat(e).hasMessageContaining("already has a different schema");
                            return false;
                        }
                    };
                    writers.add(executor.submit(writer));
                }
                started.countDown();
                List<Boolean> succeeded = new ArrayList<>();
                for (Future<Boolean> writer : writers) {
                    succeeded.add(writer.get());
                }
                assertThat(succeeded).isIn(List.of(true, false, true, false), List.of(false, true, false, true));
                assertThat(count(fileSystem, folder)).isEqualTo(2 * ROWS);
            }
        }
    }

    /**
     * Every bit and every length of the schema and of the list of the row groups, and some of the files of row groups.
     */
    @Test
    void testDamageIsFound()
            throws IOException
    {
        TrinoFileSystem fileSystem = fileSystem("memory");
        Location folder = Location.of("memory:///rows");
        // the data file contains nothing for a chunk with a single value
        write(fileSystem, folder, SCHEMA, OPTIONS.withRowGroupRows(2), 4);
        FileDamage damage = new FileDamage("TestAlbisFolder");
        for (Location file : files(fileSystem, folder)) {
            byte[] bytes = FileBytes.read(fileSystem, file);
            FileDamage.Check check = (damaged, description) -> {
                FileBytes.overwrite(fileSystem, file, damaged);
                assertDamaged(fileSystem, folder, file, description);
            };
            if (file.toString().contains("/rg-")) {
                // nothing verifies the zeros at the end of a data file
                damage.some(bytes, bytes.length - (file.fileName().equals("data") ? Segment.END_SLACK : 0), 20, check);
                fileSystem.deleteFile(file);
                assertDamaged(fileSystem, folder, file, "without it");
            }
            else {
                damage.all(bytes, bytes.length, check);
            }
            FileBytes.overwrite(fileSystem, file, bytes);
        }
        assertThat(count(fileSystem, folder)).isEqualTo(4);
        damage.print();
    }

    /**
     * The file of another writer in the place of the list of a writer's row groups, or in that of the schema.
     */
    @Test
    void testFilesOfAnotherWriter()
            throws IOException
    {
        TrinoFileSystem fileSystem = fileSystem("memory");
        Location folder = Location.of("memory:///rows");
        write(fileSystem, folder, SCHEMA, OPTIONS, ROWS);
        write(fileSystem, folder, SCHEMA, OPTIONS, ROWS);
        List<Location> files = files(fileSystem, folder).stream()
                .filter(file -> !file.toString().contains("/rg-"))
                .toList();
        assertThat(files).hasSize(1 + 2);
        for (Location file : files) {
            for (Location other : files) {
                if (!other.equals(file)) {
                    byte[] bytes = FileBytes.read(fileSystem, file);
                    FileBytes.overwrite(fileSystem, file, FileBytes.read(fileSystem, other));
                    assertDamaged(fileSystem, folder, file, "%s in its place".formatted(other));
                    FileBytes.overwrite(fileSystem, file, bytes);
                }
            }
        }
        assertThat(count(fileSystem, folder)).isEqualTo(2 * ROWS);
    }

    private static List<Location> files(TrinoFileSystem fileSystem, Location folder)
            throws IOException
    {
        ImmutableList.Builder<Location> files = ImmutableList.builder();
        for (FileIterator iterator = fileSystem.listFiles(folder); iterator.hasNext(); ) {
            files.add(iterator.next().location());
        }
        return files.build();
    }

    private static void assertDamaged(TrinoFileSystem fileSystem, Location folder, Location file, String description)
    {
        assertThatThrownBy(() -> {
            AlbisSchema.read(fileSystem, folder, typeId -> typeId.equals("bigint") ? BIGINT : VARCHAR);
            count(fileSystem, folder);
        }).as("%s: %s", file, description)
                .isInstanceOf(AlbisDataException.class)
                .hasMessageContaining(file.toString());
    }

    private static void write(TrinoFileSystem fileSystem, Location folder, AlbisSchema schema, WriterOptions options, int rows)
            throws IOException
    {
        try (AlbisWriter writer = schema.getWriter(fileSystem, folder, options)) {
            for (int row = 0; row < rows; row++) {
                writer.setValue(0, row);
                writer.setValue(1, "text " + row);
                writer.nextRow();
            }
        }
    }

    private static int count(TrinoFileSystem fileSystem, Location folder)
            throws IOException
    {
        int rows = 0;
        try (AlbisReader reader = SCHEMA.getReader(fileSystem, folder, AlbisFilter.ALL, ImmutableList.of(ID, TEXT))) {
            while (reader.hasMore()) {
                reader.next();
                assertThat(reader.getValue(1)).isEqualTo("text " + reader.getValue(0));
                rows++;
            }
        }
        return rows;
    }
}
