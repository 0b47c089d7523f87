package io.albis.format.search;

import com.google.common.collect.MapMaker;

import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;

/**
 * The searches of indexes by the readers of a scan. Several splits of a row group search the same indexes, so the first
 * one does it for all. A search is forgotten when no reader uses it. Thread safe.
 */
public final class SearchCache
{
    /**
     * @param filter what the readers of the scan share of the filter
     * @param isExclusion whether the search finds rows that do not match
     */
    private record Key(UUID columnGroup, int columnId, Object filter, boolean isExclusion) {}

    private final ConcurrentMap<Key, SharedSearch> searches = new MapMaker().weakValues().makeMap();

    public SharedSearch get(UUID columnGroup, int columnId, Object filter, boolean isExclusion)
    {
        return searches.computeIfAbsent(new Key(columnGroup, columnId, filter, isExclusion), _ -> new SharedSearch());
    }

    /**
     * Lets a reader wait until the readers before it have ended their searches of the same indexes, so that it does not
     * occupy a thread meanwhile. A reader waits only for earlier ones, so they never wait for each other.
     *
     * @param used what the search of the reader uses
     * @param ended is done when the search of the reader has ended
     * @return a future that is done when the search of the reader may begin
     */
    public synchronized CompletableFuture<?> follow(Collection<SharedSearch> used, CompletableFuture<?> ended)
    {
        return CompletableFuture.allOf(used.stream()
                .map(search -> search.follow(ended))
                .toArray(CompletableFuture[]::new));
    }
}
