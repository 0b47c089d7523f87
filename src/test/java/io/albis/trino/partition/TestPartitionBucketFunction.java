package io.albis.trino.partition;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.PartitionField;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.BucketFunction;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static org.assertj.core.api.Assertions.assertThat;

final class TestPartitionBucketFunction
{
    private static final int THREADS = 4;
    private static final int ROWS = 1000;

    /**
     * The engine shares one function among all drivers of a task.
     */
    @Test
    void testSeveralThreads()
            throws Exception
    {
        BucketFunction function = new PartitionBucketFunction(new PartitionPartitioning(ImmutableList.of(new PartitionField(1, IDENTITY, 0))), ImmutableList.of(VARCHAR), 1000);
        List<Page> pages = new ArrayList<>();
        List<int[]> expected = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            pages.add(page(thread));
            expected.add(buckets(function, pages.get(thread)));
        }
        try (ExecutorService executor = newFixedThreadPool(THREADS)) {
            List<Future<?>> futures = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Page page = pages.get(thread);
                int[] buckets = expected.get(thread);
                futures.add(executor.submit(() -> {
                    for (int i = 0; i < 100; i++) {
                        assertThat(buckets(function, page)).isEqualTo(buckets);
                    }
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        }
    }

    private static Page page(int thread)
    {
        BlockBuilder builder = VARCHAR.createBlockBuilder(null, ROWS);
        for (int i = 0; i < ROWS; i++) {
            VARCHAR.writeSlice(builder, utf8Slice("abcd".substring(thread, thread + 1).repeat(1 + i % 500)));
        }
        return new Page(builder.build());
    }

    private static int[] buckets(BucketFunction function, Page page)
    {
        int[] buckets = new int[page.getPositionCount()];
        function.getBuckets(page, 0, buckets.length, buckets);
        for (int position = 0; position < buckets.length; position++) {
            assertThat(function.getBucket(page, position)).isEqualTo(buckets[position]);
        }
        return buckets;
    }
}
