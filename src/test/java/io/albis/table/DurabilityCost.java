package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.sketch.PageSketcher;
import io.albis.table.storage.DurableFileSystem;
import io.albis.table.storage.LocalFolders;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * Measures the cost of forcing data, metadata, and manifests to disk. The same writes and commits run alternately on
 * Trino's local file system and on the one that forces them. Arguments: an empty folder on the disk, and the number of
 * rounds.
 */
public final class DurabilityCost
{
    private static final int ROWS = 4_000_000;
    private static final int PAGE_ROWS = 8192;

    private DurabilityCost() {}

    public static void main(String[] arguments)
            throws IOException
    {
        Path root = Path.of(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        LocalFileSystem plain = new LocalFileSystem(root);
        List<TrinoFileSystem> fileSystems = ImmutableList.of(plain, new DurableFileSystem(plain, new LocalFolders(root)));
        for (boolean load : new boolean[] {false, true}) {
            List<List<Double>> milliseconds = ImmutableList.of(new ArrayList<>(), new ArrayList<>());
            Page page = page(load ? PAGE_ROWS : 1);
            int pages = load ? ROWS / PAGE_ROWS : 1;
            // The first rounds warm up the process
            for (int round = load ? -1 : -50; round < (load ? rounds / 5 : rounds * 10); round++) {
                for (int i = 0; i < 2; i++) {
                    double time = insert(fileSystems.get(i), root, page, pages);
                    if (round >= 0) {
                        milliseconds.get(i).add(time);
                    }
                }
            }
            double without = median(milliseconds.get(0));
            double with = median(milliseconds.get(1));
            System.out.printf("%s: %.1f ms without, %.1f ms with, ratio %.2f, %s pairs%n", load ? "load" : "one row", without, with, with / without, milliseconds.get(0).size());
        }
    }

    private static double insert(TrinoFileSystem fileSystem, Path root, Page page, int pages)
            throws IOException
    {
        Warehouse warehouse = new Warehouse(fileSystem, Location.of("local:///w"), TableFixtures.TYPE_RESOLVER, WarehouseOptions.DEFAULT.withLocalRoot(root));
        String schemaName = "s" + UUID.randomUUID();
        warehouse.createSchema(schemaName, Optional.empty(), ImmutableMap.of());
        AlbisTable table = TableFixtures.createTable(warehouse, schemaName, "t");
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(TableFixtures.DEFINITION.columns().stream().map(TableColumn::toAlbisColumn).collect(toImmutableList())));
        long start = System.nanoTime();
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, table.folder(), schema.rowGroupSchema(), WriterOptions.DEFAULTS);
        PageSketcher sketcher = new PageSketcher(schema.columns());
        for (int i = 0; i < pages; i++) {
            writer.append(page);
            sketcher.append(page);
        }
        List<RowGroup> rowGroups = writer.finish();
        warehouse.append(table, new TableRows(rowGroups, sketcher.finish()), ReadSet.BLIND);
        double time = (System.nanoTime() - start) / 1e6;
        new LocalFileSystem(root).deleteDirectory(Location.of("local:///w/" + schemaName + "/"));
        return time;
    }

    private static Page page(int rows)
    {
        Random random = new Random(1);
        BlockBuilder ids = BIGINT.createBlockBuilder(null, rows);
        BlockBuilder names = VARCHAR.createBlockBuilder(null, rows);
        for (int row = 0; row < rows; row++) {
            BIGINT.writeLong(ids, random.nextLong());
            VARCHAR.writeString(names, Long.toString(random.nextLong(), 36) + Long.toString(random.nextLong(), 36) + Long.toString(random.nextLong(), 36));
        }
        return new Page(ids.build(), names.build());
    }

    private static double median(List<Double> values)
    {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
