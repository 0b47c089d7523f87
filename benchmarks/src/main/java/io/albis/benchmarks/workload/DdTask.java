package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.lang.ProcessBuilder.Redirect.DISCARD;
import static java.util.Objects.requireNonNull;

/**
 * Reads all files of a table on the local file system with dd, several at a time.
 */
public final class DdTask
        implements Task
{
    private static final String BLOCK_SIZE = "8M";

    private final Map<String, Path> schemas;
    private final String table;
    private final int threads;

    public DdTask(List<BenchmarkCatalog> catalogs, Path data, String schema, String table, int threads)
    {
        this.schemas = catalogs.stream().collect(toImmutableMap(BenchmarkCatalog::catalogName, catalog -> catalog.folder(data).resolve(schema)));
        this.table = requireNonNull(table, "table is null");
        checkArgument(threads > 0, "threads is not positive");
        this.threads = threads;
    }

    @Override
    public String name()
    {
        return "dd";
    }

    @Override
    public Figures run(String catalog)
    {
        try {
            List<Path> files = files(schemas.get(catalog));
            long start = System.nanoTime();
            Parallel.forEach(files, threads, DdTask::read);
            long elapsed = System.nanoTime() - start;
            long bytes = 0;
            for (Path file : files) {
                bytes += Files.size(file);
            }
            return new Figures(ImmutableMap.of(
                    Figure.RESULT_ROWS, 1L,
                    Figure.ELAPSED, elapsed,
                    Figure.BYTES_READ, bytes));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Path> files(Path schema)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(schema)) {
            return files
                    .filter(Files::isRegularFile)
                    .filter(file -> TableFolders.isOf(schema.relativize(file).getName(0).toString(), table))
                    .collect(toImmutableList());
        }
    }

    private static void read(Path file)
            throws IOException, InterruptedException
    {
        Process process = new ProcessBuilder("dd", "if=" + file, "of=/dev/null", "bs=" + BLOCK_SIZE)
                .redirectErrorStream(true)
                .redirectOutput(DISCARD)
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("dd could not read " + file);
        }
    }
}
