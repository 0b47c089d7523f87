package io.albis.trino;

import io.trino.testing.QueryRunner;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

import static java.util.concurrent.Executors.newFixedThreadPool;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that run statements at the same time.
 */
public final class ConcurrentStatements
{
    private ConcurrentStatements() {}

    /**
     * Runs each statement many times in a thread of its own.
     *
     * @param failures pattern of the messages with which statements may fail
     */
    public static void run(QueryRunner queryRunner, List<String> statements, int times, String failures)
            throws InterruptedException, ExecutionException
    {
        try (ExecutorService executor = newFixedThreadPool(statements.size())) {
            List<Future<?>> clients = new ArrayList<>();
            for (String sql : statements) {
                clients.add(executor.submit(() -> {
                    for (int i = 0; i < times; i++) {
                        try {
                            queryRunner.execute(sql);
                        }
                        catch (RuntimeException e) {
                            assertThat(e).as(sql).hasMessageMatching(failures);
                        }
                    }
                }));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        }
    }
}
