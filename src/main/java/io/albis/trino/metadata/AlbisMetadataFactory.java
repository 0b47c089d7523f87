package io.albis.trino.metadata;

import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.albis.format.type.TypeResolver;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.put.StorageProbe;
import io.albis.table.version.AlbisTable;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.PluginBuild;
import io.albis.trino.manifest.ManifestCache;
import io.albis.trino.procedure.TableProcedures;
import io.albis.trino.procedure.TransactionMode;
import io.albis.trino.relation.ColumnGroupDefaults;
import io.albis.trino.relation.QueryReads;
import io.albis.trino.relation.TableDefinitionFactory;
import io.albis.trino.relation.TableLoader;
import io.albis.trino.storage.ForAlbis;
import io.albis.trino.storage.LocalRoot;
import io.albis.trino.system.SystemTables;
import io.albis.trino.usage.ColumnUsage;
import io.albis.trino.usage.TransactionUsage;
import io.albis.trino.view.ExpandedViews;
import io.albis.trino.view.MaterializedViews;
import io.albis.trino.view.ViewOperations;
import io.albis.trino.write.AbandonedFiles;
import io.albis.trino.write.CommitStats;
import io.albis.trino.write.TableWrites;
import io.albis.trino.write.WholeRowGroupDeletes;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.security.ConnectorIdentity;

import java.util.Map;

import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static java.util.Objects.requireNonNull;

/**
 * Creates the metadata operations of a transaction, with the file system of its identity.
 */
public class AlbisMetadataFactory
{
    private final CatalogName catalogName;
    private final AlbisConfig config;
    private final TrinoFileSystemFactory fileSystemFactory;
    private final TypeResolver types;
    private final LocalRoot localRoot;
    private final CommitStats commitStats;
    private final ManifestCache manifestCache;
    private final ListingExecutor listingExecutor;
    private final QueryReads queryReads;
    // shared by all transactions, so that each storage is probed once
    private final StorageProbe storageProbe = new StorageProbe();
    private final ColumnUsage usage = new ColumnUsage();

    @Inject
    public AlbisMetadataFactory(
            CatalogName catalogName,
            AlbisConfig config,
            @ForAlbis TrinoFileSystemFactory fileSystemFactory,
            TypeResolver types,
            LocalRoot localRoot,
            CommitStats commitStats,
            ManifestCache manifestCache,
            ListingExecutor listingExecutor,
            QueryReads queryReads)
    {
        this.catalogName = requireNonNull(catalogName, "catalogName is null");
        this.listingExecutor = requireNonNull(listingExecutor, "listingExecutor is null");
        this.queryReads = requireNonNull(queryReads, "queryReads is null");
        this.config = requireNonNull(config, "config is null");
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.types = requireNonNull(types, "types is null");
        this.localRoot = requireNonNull(localRoot, "localRoot is null");
        this.commitStats = requireNonNull(commitStats, "commitStats is null");
        this.manifestCache = requireNonNull(manifestCache, "manifestCache is null");
    }

    private Warehouse warehouse(TrinoFileSystem fileSystem, ConnectorIdentity identity, Map<String, String> summary)
    {
        WarehouseOptions options = WarehouseOptions.DEFAULT
                .withLocalFolders(localRoot.folders())
                .withAllowedLocations(config.allowedLocations())
                .withObserver(commitStats)
                .withManifests(manifestCache.forIdentity(identity))
                .withProbe(storageProbe)
                .withSummary(summary);
        return translate(() -> new Warehouse(fileSystem, config.warehouseLocation(), types, options));
    }

    /**
     * Checks whether the storage of the warehouse supports safe commits.
     *
     * @throws io.trino.spi.TrinoException with code NOT_SUPPORTED if the storage loses commits, or with a different
     *         code if it failed
     */
    public void checkStorage(ConnectorIdentity identity)
    {
        Warehouse warehouse = warehouse(fileSystemFactory.create(identity), identity, ImmutableMap.of());
        translateAction(warehouse::checkStorage);
    }

    /**
     * Opens the warehouse for a procedure or a table function, which is not part of a transaction.
     */
    public Warehouse openWarehouse(ConnectorSession session)
    {
        return warehouse(fileSystemFactory.create(session.getIdentity()), session);
    }

    /**
     * Loads the version of a table that a handle of another node or transaction names.
     *
     * @throws io.trino.spi.TrinoException if the version cannot be loaded
     */
    public AlbisTable loadVersion(ConnectorSession session, AlbisTableHandle handle)
    {
        return new TableLoader(openWarehouse(session)).load(handle);
    }

    private Warehouse warehouse(TrinoFileSystem fileSystem, ConnectorSession session)
    {
        return warehouse(fileSystem, session.getIdentity(), ImmutableMap.of(
                "query-id", session.getQueryId(),
                "plugin-build", PluginBuild.CURRENT.id()));
    }

    public AlbisMetadata create(ConnectorSession session, TransactionMode mode)
    {
        TrinoFileSystem fileSystem = fileSystemFactory.create(session.getIdentity());
        Warehouse warehouse = warehouse(fileSystem, session);
        TableLoader tables = new TableLoader(warehouse, queryReads.begin(session.getQueryId(), catalogName));
        TableDefinitionFactory definitions = new TableDefinitionFactory(new ColumnGroupDefaults(config.getDefaultColumnGroups(), config.getDefaultLayout(), config.getDefaultCompression()));
        ExpandedViews expanded = new ExpandedViews();
        TableWrites writes = new TableWrites(warehouse, tables, definitions, new AbandonedFiles(fileSystem));
        return new AlbisMetadata(
                warehouse,
                new SchemaOperations(warehouse, tables),
                tables,
                writes,
                new WholeRowGroupDeletes(warehouse, tables),
                new RelationListing(warehouse, tables, listingExecutor.forTransaction()),
                new SystemTables(fileSystem, manifestCache.forIdentity(session.getIdentity()), warehouse, tables, usage),
                new TableProcedures(catalogName, mode, warehouse, tables, definitions.columnGroupDefaults(), usage),
                new ViewOperations(warehouse, tables, expanded),
                new MaterializedViews(catalogName, warehouse, tables, definitions, types, expanded),
                new TransactionUsage(usage));
    }
}
