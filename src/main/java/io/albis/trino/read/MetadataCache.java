package io.albis.trino.read;

import com.google.common.cache.Cache;
import com.google.inject.Inject;
import io.airlift.units.DataSize;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.index.Directory;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.DeletedRows;
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
 * Caches the metadata of column groups, the deleted rows of row groups, and the directories of indexes, up to a maximum
 * size in memory. Their files never change and their locations are never reused, so a change of a table invalidates no
 * entry.
 */
public class MetadataCache
        implements MetadataSource
{
    private final Cache<Key, Object> cache;

    private sealed interface Key
    {
        String location();
    }

    private record MetadataKey(String location, int length)
            implements Key {}

    /**
     * Contains everything that the deleted rows were checked against.
     */
    private record DeletesKey(String location, DeletedRows deletedRows, long rows)
            implements Key {}

    /**
     * @param location location of the data file, whose bytes never change
     */
    private record DirectoryKey(String location, int columnId)
            implements Key {}

    @Inject
    public MetadataCache(AlbisReadConfig config)
    {
        this(config.getMetadataCacheMaxSize());
    }

    MetadataCache(DataSize maxSize)
    {
        cache = EvictableCacheBuilder.newBuilder()
                .maximumWeight(maxSize.toBytes())
                .weigher((Key key, Object value) -> saturatedCast(key.location().length() + retainedSize(value)))
                .shareNothingWhenDisabled()
                .recordStats()
                .build();
    }

    private static long retainedSize(Object value)
    {
        return switch (value) {
            case ColumnGroupMetadata metadata -> metadata.retainedSize();
            case DeletedPositions deleted -> deleted.retainedSize();
            case Directory directory -> directory.retainedSize();
            default -> throw new IllegalArgumentException("unexpected value: " + value);
        };
    }

    @Override
    public ColumnGroupMetadata get(Location location, int length, Loader loader)
            throws IOException
    {
        return SharedLoads.get(cache, new MetadataKey(location.toString(), length), ColumnGroupMetadata.class, loader::load);
    }

    @Override
    public boolean isPresent(Location location, int length)
    {
        return cache.asMap().containsKey(new MetadataKey(location.toString(), length));
    }

    @Override
    public DeletedPositions deletes(Location location, DeletedRows deletedRows, long rows, DeletesLoader loader)
            throws IOException
    {
        return SharedLoads.get(cache, new DeletesKey(location.toString(), deletedRows, rows), DeletedPositions.class, loader::load);
    }

    @Override
    public boolean hasDeletes(Location location, DeletedRows deletedRows, long rows)
    {
        return cache.asMap().containsKey(new DeletesKey(location.toString(), deletedRows, rows));
    }

    @Override
    public Directory directory(Location location, int columnId, DirectoryLoader loader)
            throws IOException
    {
        return SharedLoads.get(cache, new DirectoryKey(location.toString(), columnId), Directory.class, loader::load);
    }

    /**
     * Forgets everything, also what is being read at the moment.
     */
    public void flush()
    {
        cache.invalidateAll();
    }

    @Managed
    @Nested
    public CacheStatsMBean getStats()
    {
        return new CacheStatsMBean(cache);
    }
}
