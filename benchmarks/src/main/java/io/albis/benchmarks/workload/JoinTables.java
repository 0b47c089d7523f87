package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Two tables of an integer key and 1 to 2 kB of random bytes, as in section 4.2 of the Albis paper. Each key is once in
 * each table, in another order.
 */
public record JoinTables(int rows)
{
    private static final String LEFT = "left_rows";
    private static final String RIGHT = "right_rows";
    private static final int MIN_BYTES = 1024;
    // The bytes are hashes of 64 bytes each
    private static final int HASHES = 32;
    // Multiplying by this prime permutes the numbers below any number of rows that is not a multiple of it
    private static final long STRIDE = 2_654_435_761L;

    public JoinTables
    {
        checkArgument(rows > 0 && rows % STRIDE != 0, "not a number of rows: %s", rows);
    }

    public String schema()
    {
        return "join_" + rows;
    }

    public void prepare(BenchmarkServer server, List<BenchmarkCatalog> catalogs, Progress progress)
    {
        GeneratedTables tables = new GeneratedTables(server, schema(), progress);
        tables.prepare(catalogs, LEFT, generator("i", "left"));
        tables.prepare(catalogs, RIGHT, generator("mod(i * %s, %s)".formatted(STRIDE, rows), "right"));
    }

    private String generator(String key, String salt)
    {
        String hash = "sha512(to_utf8('%s ' || CAST(i AS varchar) || ' ' || CAST(x AS varchar)))".formatted(salt);
        String bytes = "reduce(sequence(1, %s), X'', (s, x) -> concat(s, %s), s -> s)".formatted(HASHES, hash);
        String length = "%s + mod(i * 7919, %s)".formatted(MIN_BYTES, MIN_BYTES + 1);
        return "SELECT CAST(%s AS integer) AS k, substr(%s, 1, %s) AS payload FROM %s".formatted(key, bytes, length, Numbers.below(rows));
    }

    /**
     * Returns the join, which writes a checksum of both payloads for each key, and a scan of each table for comparison.
     *
     * @param data folder of the catalogs
     */
    public List<Task> tasks(BenchmarkServer server, List<BenchmarkCatalog> catalogs, Path data)
    {
        String join = "SELECT l.k, xxhash64(concat(l.payload, r.payload)) AS checksum FROM %s l JOIN %s r ON l.k = r.k".formatted(LEFT, RIGHT);
        return ImmutableList.of(
                new CreateTask("join", "joined", join, Optional.empty(), FullScan.checksums(ImmutableList.of("k", "checksum")), schema(), server, catalogs, data),
                new FullScan("scan of the left table", LEFT, ImmutableList.of("k", "payload"), schema(), server),
                new FullScan("scan of the right table", RIGHT, ImmutableList.of("k", "payload"), schema(), server));
    }
}
