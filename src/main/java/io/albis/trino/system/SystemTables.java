package io.albis.trino.system;

import io.albis.table.Warehouse;
import io.albis.table.manifest.ConcurrentReads;
import io.albis.table.version.AlbisTable;
import io.albis.trino.relation.TableLoader;
import io.albis.trino.usage.ColumnUsage;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Finds the system tables of the tables of one transaction. They describe the version that the transaction sees.
 */
public class SystemTables
{
    private final TrinoFileSystem fileSystem;
    private final ConcurrentReads reads;
    private final Warehouse warehouse;
    private final TableLoader tables;
    private final ColumnUsage usage;

    public SystemTables(TrinoFileSystem fileSystem, ConcurrentReads reads, Warehouse warehouse, TableLoader tables, ColumnUsage usage)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.reads = requireNonNull(reads, "reads is null");
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.usage = requireNonNull(usage, "usage is null");
    }

    /**
     * Returns a system table; empty if the name is not that of one, or if there is no table to which it belongs.
     *
     * @throws io.trino.spi.TrinoException if the table cannot be loaded
     */
    public Optional<SystemTable> find(SchemaTableName name)
    {
        return SystemTableType.of(name.getTableName())
                .flatMap(type -> tables.findStored(SystemTableType.baseTable(name))
                        .map(table -> create(name, type, table)));
    }

    private SystemTable create(SchemaTableName name, SystemTableType type, AlbisTable table)
    {
        return switch (type) {
            case FILES -> FilesTable.create(name, fileSystem, reads, table);
            case HISTORY -> HistoryTable.create(name, warehouse.history(table));
            case MANIFESTS -> ManifestsTable.create(name, table);
            case PARTITIONS -> PartitionsTable.create(name, table);
            case PROPERTIES -> PropertiesTable.create(name, table);
            case REFS -> RefsTable.create(name, table);
            case SNAPSHOTS -> SnapshotsTable.create(name, table, warehouse.history(table));
            case USAGE -> UsageTable.create(name, table, usage);
        };
    }
}
