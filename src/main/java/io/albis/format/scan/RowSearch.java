package io.albis.format.scan;

import io.albis.format.predicate.AlternativeFilters;
import io.albis.format.predicate.ColumnFilter;
import io.albis.format.search.CountedSearches;
import io.albis.format.search.IndexSearch;
import io.albis.format.search.IndexSource;
import io.albis.format.search.SearchCandidates;
import io.albis.format.search.SharedSearch;
import jakarta.annotation.Nullable;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static com.google.common.base.Throwables.throwIfUnchecked;
import static java.util.Objects.requireNonNull;

/**
 * Searches the indexes of a row group for the rows that match the filters of a scan: before its first segment, and if
 * this finds nothing because a dynamic filter arrives later, once more. If the storage benefits from reading ahead,
 * another thread does it, unless it tests values with functions of the query.
 */
final class RowSearch
{
    // A dynamic filter that narrows often must not cause a search each time
    private static final int MAX_SEARCHES = 2;

    private final RowGroupScan scan;
    private final ReaderOptions options;
    private final ReaderResources resources;
    private final ScanFilters filters;
    private final IndexSource indexes;
    private final int[] segmentRows;
    // kept while the reader is open, because the cache of searches does not keep them
    private final Set<SharedSearch> used = new LinkedHashSet<>();
    private int searches;
    private boolean found;
    // the search in progress or null, and the future that is done when it ends
    @Nullable
    private FutureTask<Optional<CountedSearches.Found>> task;
    private CompletableFuture<?> ended = CompletableFuture.completedFuture(null);

    /**
     * @param segmentRows the number of rows of each segment
     */
    RowSearch(RowGroupScan scan, ReaderOptions options, ReaderResources resources, ScanFilters filters, IndexSource indexes, int[] segmentRows)
    {
        this.scan = requireNonNull(scan, "scan is null");
        this.options = requireNonNull(options, "options is null");
        this.resources = requireNonNull(resources, "resources is null");
        this.filters = requireNonNull(filters, "filters is null");
        this.indexes = requireNonNull(indexes, "indexes is null");
        this.segmentRows = requireNonNull(segmentRows, "segmentRows is null");
    }

    /**
     * Starts a search if filters have changed since the last one, and if an index of another column or for another
     * filter than before may be of use.
     *
     * @return whether {@link #finish} must be called when {@link #ended} is done
     */
    boolean start()
            throws IOException
    {
        if (!options.useIndexes() || found || searches == MAX_SEARCHES || filters.isNone() || !filters.takeChange()) {
            return false;
        }
        IndexSearch search = indexSearch();
        // the searches before have found too many rows
        if (!used.addAll(search.shared())) {
            return false;
        }
        searches++;
        // The engine can interrupt only its own threads, and those of the executor are needed for the reads of others
        boolean ahead = resources.access().readAhead() && !search.testsValues();
        Optional<Executor> executor = ahead ? Optional.of(resources.executor()) : Optional.empty();
        task = new FutureTask<>(() -> search.search(executor));
        if (ahead) {
            runAhead();
        }
        else {
            task.run();
        }
        return true;
    }

    private void runAhead()
    {
        FutureTask<?> running = task;
        CompletableFuture<?> done = new CompletableFuture<>();
        ended = done;
        Runnable run = () -> {
            running.run();
            done.complete(null);
        };
        resources.searches().follow(used, done).thenRun(() -> {
            try {
                resources.executor().execute(run);
            }
            catch (RejectedExecutionException _) {
                // The executor is shut down because the catalog is being closed
                run.run();
            }
        });
    }

    /**
     * Returns the combined search of the filters whose searches may save something.
     */
    private IndexSearch indexSearch()
            throws IOException
    {
        SearchCandidates candidates = new SearchCandidates(scan.share(), options.thresholds(), resources.searches(), indexes, segmentRows);
        for (ColumnFilter filter : filters.searchable()) {
            candidates.add(filter);
        }
        for (AlternativeFilters alternatives : filters.alternatives()) {
            candidates.add(alternatives);
        }
        return candidates.combine();
    }

    /**
     * Returns a future that is done when no search is in progress. It does not fail.
     */
    CompletableFuture<?> ended()
    {
        return ended;
    }

    /**
     * Returns what the search has found. The filters that it has replaced are not evaluated any more. A later dynamic
     * predicate selects some of the rows that the current one selects, so the rows remain valid.
     *
     * @return the positions of the rows in the row group, including deleted ones, which must not be changed; empty if
     *         it is faster to read the columns
     */
    Optional<RoaringBitmap> finish()
            throws IOException
    {
        Optional<CountedSearches.Found> result = result();
        task = null;
        result.ifPresent(rows -> {
            found = true;
            rows.searches().forEach(search -> search.replaced().forEach(filters::remove));
        });
        return result.map(CountedSearches.Found::rows);
    }

    private Optional<CountedSearches.Found> result()
            throws IOException
    {
        try {
            return task.get();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException exception = new InterruptedIOException("interrupted while waiting for storage");
            exception.initCause(e);
            throw exception;
        }
        catch (ExecutionException e) {
            throwIfInstanceOf(e.getCause(), IOException.class);
            throwIfUnchecked(e.getCause());
            throw new IOException(e.getCause());
        }
    }

    /**
     * Returns the retained memory in bytes, without what another reader counts. It includes that of a search that is in
     * progress, for which it does not wait.
     */
    long retainedSize()
    {
        long size = 0;
        for (SharedSearch search : used) {
            size += search.claim(this);
        }
        return size;
    }

    /**
     * Lets other readers count what they share with this one. A search that waits for a thread is skipped. One in
     * progress fails at its next read, because its files are closed, too.
     */
    void close()
    {
        if (task != null) {
            task.cancel(false);
        }
        used.forEach(search -> search.release(this));
        used.clear();
    }
}
