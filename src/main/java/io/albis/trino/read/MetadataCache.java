package io.albis.trino.read;

import com.google.common.cache.Cache;
import com.google.inject.Inject;
import io.airlift.units.DataSize;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.scan.MetadataSource;
import io.albis.trino.cache.SharedLoads;
import io.albis.trino.config.AlbisReadConfig;
import io.trino.cache.CacheStatsMBean;
import io.trino.cache.EvictableCacheBuilder;
import io.trino.filesystem.Location;
import org.weakref.jmx.Managed;
import org.weakref.jmx.Nested;

import java.io.IOException;

import static com.google.common.primitives.Ints.saturatedCast;

/**
 * Caches the metadata of column groups, up to a maximum size in memory. A column group never changes and its location
 * is never reused, so a change of a table invalidates no entry.
 */
public class MetadataCache
        implements MetadataSource
{
    private final Cache<Key, ColumnGroupMetadata> cache;

    private record Key(String location, int length) {}

    @Inject
    public MetadataCache(AlbisReadConfig config)
    {
        this(config.getMetadataCacheMaxSize());
    }

    MetadataCache(DataSize maxSize)
    {
        cache = EvictableCacheBuilder.newBuilder()
                .maximumWeight(maxSize.toBytes())
                .weigher((Key key, ColumnGroupMetadata metadata) -> saturatedCast(key.location().length() + metadata.retainedSize()))
                .shareNothingWhenDisabled()
                .recordStats()
                .build();
    }

    @Override
    public ColumnGroupMetadata get(Location location, int length, Loader loader)
            throws IOException
    {
        return SharedLoads.get(cache, new Key(location.toString(), length), ColumnGroupMetadata.class, loader::load);
    }

    @Override
    public boolean isPresent(Location location, int length)
    {
        return cache.asMap().containsKey(new Key(location.toString(), length));
    }

    @Managed
    @Nested
    public CacheStatsMBean getStats()
    {
        return new CacheStatsMBean(cache);
    }
}
