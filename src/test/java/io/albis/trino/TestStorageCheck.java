package io.albis.trino;

import io.airlift.units.DataSize;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisListingConfig;
import io.albis.trino.manifest.ManifestCache;
import io.albis.trino.manifest.ManifestExecutor;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.albis.trino.metadata.ListingExecutor;
import io.albis.trino.relation.QueryReads;
import io.albis.trino.storage.LocalRoot;
import io.albis.trino.write.CommitStats;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.type.TypeId;
import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.function.Supplier;

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The check of the storage when a catalog starts.
 */
final class TestStorageCheck
{
    /**
     * A client of the storage may fail in its own ways, for example if it finds no credentials. The storage may still
     * be safe, so the catalog starts.
     */
    @Test
    void testClientThatFails()
    {
        check(() -> {
            throw new IllegalArgumentException("no JSON input found");
        });
    }

    @Test
    void testStorageThatIsNotSafe()
    {
        assertThatThrownBy(() -> check(() -> {
            throw new TrinoException(NOT_SUPPORTED, "its storage overwrites files");
        })).hasMessage("its storage overwrites files");
    }

    private static void check(Supplier<TrinoFileSystem> fileSystem)
    {
        ManifestExecutor manifests = new ManifestExecutor("test", 2);
        ListingExecutor listings = new ListingExecutor(new CatalogName("test"), new AlbisListingConfig());
        AlbisConfig config = new AlbisConfig().setWarehouse("gs://bucket/warehouse");
        AlbisMetadataFactory factory = new AlbisMetadataFactory(
                new CatalogName("albis"),
                config,
                _ -> fileSystem.get(),
                typeId -> TESTING_TYPE_MANAGER.getType(TypeId.of(typeId)),
                new LocalRoot(Optional.empty()),
                new CommitStats(),
                new ManifestCache(DataSize.of(1, MEGABYTE), manifests),
                listings,
                new QueryReads());
        try {
            new StorageCheck(config, factory, TestStorageCheck.class.getClassLoader()).run();
        }
        finally {
            manifests.shutdown();
            listings.shutdown();
        }
    }
}
