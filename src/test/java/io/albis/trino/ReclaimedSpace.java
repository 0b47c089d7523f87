package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.type.TypeId;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import static io.albis.table.maintenance.MaintainedTable.filesOf;
import static io.albis.table.model.TableVersion.FIRST_VERSION;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs all statements that reclaim space in a local warehouse, and compares the files that remain with those that
 * versions name.
 */
public final class ReclaimedSpace
{
    /**
     * One small file for each version, entry of a name, and entry of a schema stays, and the markers of entries.
     */
    public static final Pattern KEPT = Pattern.compile(".*/(versions/([0-9]+/)?([0-9]{20}\\.json|hint)|tables/[^/]+/[0-9]{20}\\.(json|view)|\\.schema/[0-9]{20}\\.(json|renamed)|\\.albis)");

    private static final Location ROOT = Location.of("local:///warehouse");
    private static final String SCHEMA = "reclaimed";

    private final QueryRunner queryRunner;
    private final String catalog;
    private final TrinoFileSystem fileSystem;
    private final Warehouse warehouse;
    private int registered;

    /**
     * @param catalog a catalog with {@link AlbisQueryRunner#catalogProperties}, retentions of zero, and the procedure
     *         {@code register_table}
     */
    public ReclaimedSpace(QueryRunner queryRunner, String catalog, Path folder)
    {
        this.queryRunner = requireNonNull(queryRunner, "queryRunner is null");
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.fileSystem = new LocalFileSystem(folder);
        this.warehouse = new Warehouse(fileSystem, ROOT, typeId -> TESTING_TYPE_MANAGER.getType(TypeId.of(typeId)), WarehouseOptions.DEFAULT.withLocalRoot(folder));
    }

    /**
     * Drops the tables that have lost their names, and removes all files that nothing needs. Then checks that the files
     * that remain are those that versions name, and that none of these is missing.
     */
    public void check(String description)
            throws IOException
    {
        dropLostTables();
        // The first use of the new name completes a RENAME, and then the old name is gone
        tables();
        for (AlbisTable table : tables()) {
            execute("ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s')".formatted(storage(table)));
            execute("ALTER TABLE %s EXECUTE remove_orphan_files(retention_threshold => '0s')".formatted(storage(table)));
        }
        execute("CALL %s.system.vacuum('0s')".formatted(catalog));
        assertThat(files()).as("files that remain: " + description).isEqualTo(namedFiles());
    }

    private void dropLostTables()
    {
        String lostTables = "SELECT location FROM TABLE(%s.system.find_lost_tables()) WHERE state IN ('unregistered', 'lost') AND total_bytes > 0".formatted(catalog);
        for (MaterializedRow lost : queryRunner.execute(lostTables).getMaterializedRows()) {
            execute("CREATE SCHEMA IF NOT EXISTS %s.%s".formatted(catalog, SCHEMA));
            String name = "lost" + registered++;
            execute("CALL %s.system.register_table('%s', '%s', '%s')".formatted(catalog, SCHEMA, name, lost.getField(0)));
            execute("DROP TABLE %s.%s.%s".formatted(catalog, SCHEMA, name));
        }
    }

    private void execute(String sql)
    {
        queryRunner.execute(sql);
    }

    /**
     * Returns the tables and materialized views.
     */
    private List<AlbisTable> tables()
    {
        ImmutableList.Builder<AlbisTable> tables = ImmutableList.builder();
        for (String schema : warehouse.listSchemas()) {
            for (String table : warehouse.listTables(schema)) {
                warehouse.loadTable(schema, table)
                        .filter(loaded -> loaded.version().view().map(view -> view.materialized().isPresent()).orElse(true))
                        .ifPresent(tables::add);
            }
        }
        return tables.build();
    }

    private String storage(AlbisTable table)
    {
        return "%s.%s.\"%s%s\"".formatted(catalog, table.schemaName(), table.tableName(), table.version().view().isPresent() ? "$storage" : "");
    }

    private Set<String> namedFiles()
    {
        Set<String> named = new TreeSet<>();
        for (AlbisTable table : tables()) {
            for (long version = FIRST_VERSION; version <= table.version().version(); version++) {
                if (!table.version().isExpired(version)) {
                    named.addAll(filesOf(warehouse.loadTableVersion(table.schemaName(), table.tableName(), table.folder(), table.uuid(), version)));
                }
            }
        }
        return named;
    }

    private Set<String> files()
            throws IOException
    {
        Set<String> files = new TreeSet<>();
        FileIterator iterator = fileSystem.listFiles(ROOT);
        while (iterator.hasNext()) {
            String file = iterator.next().location().toString();
            if (!KEPT.matcher(file).matches()) {
                files.add(file);
            }
        }
        return files;
    }
}
