package io.albis.fuzz;

import com.google.common.collect.ImmutableMap;
import io.albis.filesystem.FileBytes;
import io.albis.format.type.LocalTypeResolver;
import io.albis.table.WarehouseFiles;
import io.albis.table.json.JsonFiles;
import io.albis.table.json.JsonKind;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableVersion;
import io.albis.table.path.TablePaths;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A version of a table. The input is the body of the file.
 */
final class VersionTarget
        implements FuzzTarget
{
    private static final Location FOLDER = Location.of("memory:///warehouse/s/t");

    @Override
    public void read(byte[] input)
            throws IOException
    {
        JsonText text = new JsonText(input);
        long number = text.number("version");
        TrinoFileSystem fileSystem = new MemoryFileSystem();
        FileBytes.overwrite(fileSystem, new TablePaths(FOLDER).version(number), text.toFile(JsonKind.VERSION, text.id("commitId")));
        AlbisTable table = WarehouseFiles.warehouse(fileSystem).loadTableVersion("s", "t", FOLDER, text.id("uuid"), number);
        TableVersion version = table.version();
        assertThat(version.rowCount()).isNotNegative();
        assertThat(version.bytes()).isNotNegative();
        if (!version.columns().isEmpty()) {
            assertThat(version.schema().columns()).hasSize(version.columns().size());
        }
        for (TableColumn column : version.columns()) {
            for (ManifestEntry manifest : version.manifests()) {
                if (column.type().isOrderable()) {
                    manifest.overlaps(TupleDomain.withColumnDomains(ImmutableMap.of(column.toAlbisColumn(), Domain.notNull(column.type()))));
                }
            }
        }
        checkNext(version);
        if (table.version().manifests().isEmpty()) {
            assertThat(table.rowGroups()).isEmpty();
        }
    }

    /**
     * A commit of no change can be read again.
     */
    private static void checkNext(TableVersion version)
            throws IOException
    {
        TableVersion next = version.next(UUID.randomUUID(), Instant.EPOCH);
        JsonFiles json = new JsonFiles(new LocalTypeResolver());
        byte[] file = json.write(JsonKind.VERSION, next.commitId(), next);
        assertThat(json.read(FOLDER, JsonKind.VERSION, TableVersion.class, file).body()).isEqualTo(next);
    }

    @Override
    public Map<String, byte[]> writeSeeds()
            throws IOException
    {
        ImmutableMap.Builder<String, byte[]> seeds = ImmutableMap.builder();
        WarehouseFiles files = WarehouseFiles.write().withFixedIds();
        int number = 0;
        for (String location : files.locations()) {
            if (location.contains("/versions/0") && new String(files.content(location), UTF_8).contains("\"kind\":\"table-version\"")) {
                number++;
                seeds.put("version-" + number, files.body(location));
            }
        }
        return seeds.buildOrThrow();
    }
}
