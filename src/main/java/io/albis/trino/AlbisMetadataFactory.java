package io.albis.trino;

import com.google.inject.Inject;
import io.albis.format.type.TypeResolver;
import io.albis.table.Warehouse;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.spi.security.ConnectorIdentity;

import static io.albis.trino.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

class AlbisMetadataFactory
{
    private final AlbisConfig config;
    private final TrinoFileSystemFactory fileSystemFactory;
    private final TypeResolver types;
    private final LocalRoot localRoot;
    private final CommitStats commitStats;
    private final ListingExecutor listingExecutor;

    AlbisMetadataFactory(AlbisConfig config, TrinoFileSystemFactory fileSystemFactory, TypeResolver types, LocalRoot localRoot, CommitStats commitStats)
    {
        this(config, fileSystemFactory, types, localRoot, commitStats, ListingExecutor.direct());
    }

    @Inject
    public AlbisMetadataFactory(
            AlbisConfig config,
            TrinoFileSystemFactory fileSystemFactory,
            TypeResolver types,
            LocalRoot localRoot,
            CommitStats commitStats,
            ListingExecutor listingExecutor)
    {
        this.listingExecutor = requireNonNull(listingExecutor, "listingExecutor is null");
        this.config = requireNonNull(config, "config is null");
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.types = requireNonNull(types, "types is null");
        this.localRoot = requireNonNull(localRoot, "localRoot is null");
        this.commitStats = requireNonNull(commitStats, "commitStats is null");
    }

    public AlbisMetadata create(ConnectorIdentity identity)
    {
        TrinoFileSystem fileSystem = fileSystemFactory.create(identity);
        Warehouse warehouse = translate(() -> new Warehouse(fileSystem, config.warehouseLocation(), types, localRoot.path(), commitStats));
        TableLoader tables = new TableLoader(warehouse);
        return new AlbisMetadata(
                warehouse,
                new SchemaOperations(warehouse, tables),
                tables,
                new TableWrites(warehouse, tables, new TableDefinitions(new ColumnGroupDefaults(config.getDefaultColumnGroups(), config.getDefaultLayout())), new AbandonedFiles(fileSystem)),
                new RelationListing(warehouse, tables, listingExecutor.forTransaction()));
    }
}
