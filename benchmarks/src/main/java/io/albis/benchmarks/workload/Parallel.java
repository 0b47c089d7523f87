package io.albis.benchmarks.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

final class Parallel
{
    private Parallel() {}

    interface Work<T>
    {
        void run(T item)
                throws Exception;
    }

    /**
     * Processes the items on several threads.
     *
     * @throws IOException if processing an item fails
     */
    static <T> void forEach(List<T> items, int threads, Work<T> work)
            throws IOException
    {
        Queue<T> queue = new ConcurrentLinkedQueue<>(items);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> results = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                results.add(executor.submit(() -> {
                    for (T item = queue.poll(); item != null; item = queue.poll()) {
                        work.run(item);
                    }
                    return null;
                }));
            }
            for (Future<?> result : results) {
                result.get();
            }
        }
        catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
