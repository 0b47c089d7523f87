package io.albis.benchmarks.format;

import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.format.file.FormatFiles;
import io.albis.benchmarks.format.file.Pages;
import io.albis.benchmarks.format.file.RowsChecksum;
import io.albis.benchmarks.format.file.Scan;
import io.albis.benchmarks.format.file.TableFormat;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Checks that all formats return the same rows, so that a reader is not fast only because it reads something else.
 */
public final class FormatCheck
{
    private FormatCheck() {}

    /**
     * Reads the dataset in all formats and compares the checksums.
     *
     * @return the checksum that all formats have in common
     * @throws IllegalStateException if the checksums differ
     */
    public static RowsChecksum check(FormatFiles files, Dataset dataset, List<TableFormat> formats, Scan scan)
            throws IOException
    {
        checkArgument(!formats.isEmpty(), "formats is empty");
        List<Type> types = scan.columns().stream()
                .map(dataset.types()::get)
                .collect(toImmutableList());
        Map<TableFormat, RowsChecksum> checksums = new LinkedHashMap<>();
        for (TableFormat format : formats) {
            try (Pages pages = files.open(dataset, format).scan(scan)) {
                checksums.put(format, RowsChecksum.of(pages, types));
            }
        }
        if (checksums.values().stream().distinct().count() > 1) {
            throw new IllegalStateException("The formats do not give the same rows of %s: %s".formatted(dataset.name(), checksums));
        }
        return checksums.get(formats.getFirst());
    }
}
