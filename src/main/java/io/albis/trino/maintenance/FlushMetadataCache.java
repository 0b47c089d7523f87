package io.albis.trino.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.albis.trino.manifest.ManifestCache;
import io.albis.trino.read.MetadataCache;
import io.trino.spi.procedure.Procedure;

import java.lang.invoke.MethodHandle;

import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/**
 * The procedure flush_metadata_cache, which empties the caches of the coordinator. They contain files that never
 * change, so this is necessary only after files were restored or repaired by hand.
 */
public class FlushMetadataCache
{
    private static final MethodHandle FLUSH_METADATA_CACHE;

    static {
        try {
            FLUSH_METADATA_CACHE = lookup().unreflect(FlushMetadataCache.class.getMethod("flushMetadataCache"));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final ManifestCache manifests;
    private final MetadataCache metadata;

    @Inject
    public FlushMetadataCache(ManifestCache manifests, MetadataCache metadata)
    {
        this.manifests = requireNonNull(manifests, "manifests is null");
        this.metadata = requireNonNull(metadata, "metadata is null");
    }

    public Procedure procedure()
    {
        return new Procedure("system", "flush_metadata_cache", ImmutableList.of(), FLUSH_METADATA_CACHE.bindTo(this));
    }

    public void flushMetadataCache()
    {
        manifests.flush();
        metadata.flush();
    }
}
