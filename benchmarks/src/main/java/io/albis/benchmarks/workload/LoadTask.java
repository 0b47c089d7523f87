package io.albis.benchmarks.workload;

import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * CREATE TABLE AS.
 */
public record LoadTask(String name, TpcdsTables tables, Path data)
        implements Task
{
    public LoadTask
    {
        requireNonNull(name, "name is null");
        requireNonNull(tables, "tables is null");
        requireNonNull(data, "data is null");
    }

    @Override
    public Figures run(String catalog)
    {
        Path folder = data.resolve(catalog);
        tables.drop(name, catalog);
        long before = size(folder);
        Figures figures = tables.load(name, catalog);
        return figures.with(Figure.BYTES_ON_DISK, size(folder) - before);
    }

    private static long size(Path folder)
    {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile)
                    .mapToLong(path -> path.toFile().length())
                    .sum();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
