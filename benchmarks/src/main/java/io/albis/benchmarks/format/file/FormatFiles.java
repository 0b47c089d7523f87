package io.albis.benchmarks.format.file;

import com.google.common.collect.AbstractIterator;
import com.google.common.io.MoreFiles;
import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.Builds;
import io.trino.spi.Page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.util.Objects.requireNonNull;

/**
 * Stores datasets as files in all formats. The files are kept between runs of the same build of the benchmarks, except
 * those of Albis, whose format may have changed in the meantime.
 */
public class FormatFiles
{
    // This format is written first, and the others are converted from it, because generating data takes much longer
    // than reading it
    private static final TableFormat SOURCE = TableFormat.PARQUET_ZSTD;
    private static final String FOLDER = "format";
    private static final String BUILD = "build";

    private final Path data;

    public FormatFiles(Path data)
    {
        this.data = requireNonNull(data, "data is null");
    }

    public void prepare(Dataset dataset, List<TableFormat> formats, Progress progress)
            throws IOException
    {
        removeOfOtherBuild(dataset);
        if (!Files.exists(folder(dataset, SOURCE))) {
            progress.print("Generating " + dataset.name());
            write(dataset, SOURCE, dataset.pages());
        }
        for (TableFormat format : formats) {
            Path folder = folder(dataset, format);
            if (format.isAlbis() && Files.exists(folder)) {
                MoreFiles.deleteRecursively(folder, ALLOW_INSECURE);
            }
            if (!Files.exists(folder)) {
                progress.print("Writing %s as %s".formatted(dataset.name(), format.folderName()));
                try (Pages pages = scanAll(dataset)) {
                    write(dataset, format, iterator(pages));
                }
            }
        }
    }

    /**
     * Removes the files of a dataset that another build has written, perhaps with other libraries or other values.
     */
    private void removeOfOtherBuild(Dataset dataset)
            throws IOException
    {
        Path build = folder(dataset).resolve(BUILD);
        if (Files.exists(build) && Files.readString(build).equals(Builds.benchmarks())) {
            return;
        }
        if (Files.exists(folder(dataset))) {
            MoreFiles.deleteRecursively(folder(dataset), ALLOW_INSECURE);
        }
        Files.createDirectories(folder(dataset));
        Files.writeString(build, Builds.benchmarks());
    }

    private void write(Dataset dataset, TableFormat format, Iterator<Page> pages)
            throws IOException
    {
        // Files are written to a temporary directory first, so that a later run does not find incomplete files
        Path unfinished = data.resolve(FOLDER).resolve("unfinished");
        if (Files.exists(unfinished)) {
            MoreFiles.deleteRecursively(unfinished, ALLOW_INSECURE);
        }
        Files.createDirectories(unfinished);
        format.format().write(unfinished, dataset.columns(), pages);
        Path folder = folder(dataset, format);
        Files.createDirectories(folder.getParent());
        Files.move(unfinished, folder);
    }

    private Pages scanAll(Dataset dataset)
            throws IOException
    {
        return open(dataset, SOURCE).scan(Scan.all(dataset.columns().size()));
    }

    public StoredTable open(Dataset dataset, TableFormat format)
            throws IOException
    {
        return format.format().open(folder(dataset, format), dataset.columns());
    }

    private Path folder(Dataset dataset)
    {
        return data.resolve(FOLDER).resolve(dataset.name());
    }

    public Path folder(Dataset dataset, TableFormat format)
    {
        return folder(dataset).resolve(format.folderName());
    }

    public long size(Dataset dataset, TableFormat format)
            throws IOException
    {
        try (Stream<Path> paths = Files.walk(folder(dataset, format))) {
            return paths.filter(Files::isRegularFile)
                    .mapToLong(path -> path.toFile().length())
                    .sum();
        }
    }

    private static Iterator<Page> iterator(Pages pages)
    {
        return new AbstractIterator<>()
        {
            @Override
            protected Page computeNext()
            {
                try {
                    Page page = pages.next();
                    return page == null ? endOfData() : page;
                }
                catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }
}
