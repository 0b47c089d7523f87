package io.albis.trino.manifest;

import com.google.common.cache.Cache;
import com.google.common.hash.HashCode;
import com.google.inject.Inject;
import io.airlift.units.DataSize;
import io.albis.table.manifest.Manifest;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.sketch.ColumnSketches;
import io.albis.trino.cache.SharedLoads;
import io.albis.trino.config.AlbisReadConfig;
import io.trino.cache.CacheStatsMBean;
import io.trino.cache.EvictableCacheBuilder;
import io.trino.filesystem.Location;
import io.trino.spi.security.ConnectorIdentity;
import org.weakref.jmx.Managed;
import org.weakref.jmx.Nested;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

import static com.google.common.primitives.Ints.saturatedCast;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static java.util.Objects.requireNonNull;

/**
 * Caches manifests, and the sketches that are merged from the manifests of a version, up to a maximum size in memory. A
 * manifest never changes and its id is never reused, so a change of a table invalidates no entry. All identities share
 * the entries. Before an identity gets an entry that another identity loaded, it must read at least one byte of the
 * file itself, which proves that it has access. The proof expires after a minute.
 */
public class ManifestCache
{
    // estimated overhead of the cache per entry, in bytes
    private static final int ENTRY_SIZE = 256;
    private static final int MAX_READERS = 10_000;
    private static final Duration READER_LIFETIME = Duration.ofMinutes(1);

    private final ManifestExecutor executor;
    private final boolean enabled;
    private final Cache<Key, Object> cache;
    private final Cache<HashCode, Boolean> readers;

    /**
     * The key of a cached value.
     *
     * @param location of the manifest; for sketches, the folder of the table and the id of the commit
     */
    private record Key(Class<?> type, String location) {}

    @Inject
    public ManifestCache(AlbisReadConfig config, ManifestExecutor executor)
    {
        this(config.getManifestCacheMaxSize(), executor);
    }

    public ManifestCache(DataSize maxSize, ManifestExecutor executor)
    {
        this.executor = requireNonNull(executor, "executor is null");
        this.enabled = maxSize.toBytes() > 0;
        this.cache = EvictableCacheBuilder.newBuilder()
                .maximumWeight(maxSize.toBytes())
                // each segment of the cache gets an equal share of the weight, which large manifests would exceed
                .concurrencyLevel(1)
                .weigher((Key key, Object value) -> saturatedCast(ENTRY_SIZE + estimatedSizeOf(key.location()) + retainedSize(value)))
                .shareNothingWhenDisabled()
                .recordStats()
                .build();
        this.readers = EvictableCacheBuilder.newBuilder()
                .maximumSize(MAX_READERS)
                .expireAfterWrite(READER_LIFETIME)
                .shareNothingWhenDisabled()
                .build();
    }

    /**
     * Returns a view of the cache for one identity.
     */
    public ManifestSource forIdentity(ConnectorIdentity identity)
    {
        return new IdentityManifests(new ManifestReader(identity));
    }

    /**
     * Forgets everything, also what is being read at the moment.
     */
    public void flush()
    {
        cache.invalidateAll();
        readers.invalidateAll();
    }

    @Managed
    @Nested
    public CacheStatsMBean getStats()
    {
        return new CacheStatsMBean(cache);
    }

    @Managed
    public long getRetainedBytes()
    {
        long bytes = 0;
        for (Object value : cache.asMap().values()) {
            bytes += retainedSize(value);
        }
        return bytes;
    }

    private static long retainedSize(Object value)
    {
        return switch (value) {
            case Manifest manifest -> manifest.retainedSize();
            case ColumnSketches sketches -> sketches.retainedSize();
            default -> throw new IllegalArgumentException("Unexpected type of value in the manifest cache: " + value.getClass());
        };
    }

    private final class IdentityManifests
            implements ManifestSource
    {
        private final ManifestReader reader;

        private IdentityManifests(ManifestReader reader)
        {
            this.reader = requireNonNull(reader, "reader is null");
        }

        @Override
        public Manifest get(Location location, ManifestFile file)
                throws IOException
        {
            if (!enabled) {
                return file.read();
            }
            HashCode fileReader = reader.of(location);
            Manifest manifest = SharedLoads.get(cache, new Key(Manifest.class, location.toString()), Manifest.class, () -> {
                Manifest read = file.read();
                // before other queries of this identity get the entry
                SharedLoads.get(readers, fileReader, Boolean.class, () -> true);
                return read;
            });
            SharedLoads.get(readers, fileReader, Boolean.class, () -> {
                file.checkReadable();
                return true;
            });
            return manifest;
        }

        @Override
        public ColumnSketches getSketches(Location folder, UUID commitId, Supplier<ColumnSketches> merge)
        {
            if (!enabled) {
                return merge.get();
            }
            try {
                return SharedLoads.get(cache, new Key(ColumnSketches.class, folder + "@" + commitId), ColumnSketches.class, merge::get);
            }
            catch (IOException e) {
                throw new IllegalStateException("Merging sketches reads no file", e);
            }
        }

        @Override
        public <T> List<T> callAll(List<ReadCall<T>> calls)
                throws IOException
        {
            return executor.callAll(calls);
        }
    }
}
