package io.albis.trino.hdfs;

import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static com.google.common.base.Throwables.throwIfUnchecked;

/**
 * A query during which a test can cause a failure.
 */
final class RunningQuery
        implements AutoCloseable
{
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Future<List<MaterializedRow>> result;

    RunningQuery(QueryRunner queryRunner, String sql)
    {
        result = executor.submit(() -> queryRunner.execute(sql).getMaterializedRows());
    }

    boolean isRunning()
    {
        return !result.isDone();
    }

    /**
     * @throws RuntimeException the failure of the query
     */
    List<MaterializedRow> rows()
            throws InterruptedException
    {
        try {
            return result.get();
        }
        catch (ExecutionException e) {
            throwIfUnchecked(e.getCause());
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close()
    {
        executor.close();
    }
}
