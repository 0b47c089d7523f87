package io.albis.benchmarks.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static com.google.common.base.Throwables.throwIfUnchecked;

/**
 * Clients that work at the same time, each in a thread of its own.
 */
final class Clients
{
    private Clients() {}

    /**
     * Waits for all clients. If one of them fails, so does this method after the others have ended.
     */
    public static void run(List<? extends Runnable> clients)
    {
        try (ExecutorService executor = Executors.newFixedThreadPool(clients.size())) {
            List<Future<?>> results = new ArrayList<>();
            clients.forEach(client -> results.add(executor.submit(client)));
            for (Future<?> result : results) {
                result.get();
            }
        }
        catch (ExecutionException e) {
            throwIfUnchecked(e.getCause());
            throw new IllegalStateException(e.getCause());
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
