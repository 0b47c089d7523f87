package io.albis.benchmarks.format.object;

import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.format.file.AlbisRows;
import io.albis.benchmarks.format.file.FormatFiles;
import io.albis.benchmarks.format.file.Pages;
import io.albis.benchmarks.format.file.Scan;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.measure.Contender;
import io.trino.spi.Page;

import java.io.IOException;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Ways to read rows that create different numbers of objects.
 */
public enum ObjectReader
        implements Contender
{
    /**
     * Blocks, which hold thousands of values in one array: the binary API of a Trino connector.
     */
    ALBIS_BLOCKS(TableFormat.ALBIS_BLOCK_ONE_GROUP),
    /**
     * Each row as an array of bytes: the binary API of the paper.
     */
    ALBIS_BINARY_ROWS(TableFormat.ALBIS_ROW) {
        @Override
        long read(FormatFiles files, Dataset dataset)
                throws IOException
        {
            return AlbisRows.readBinary(files.folder(dataset, format()), dataset.columns());
        }
    },
    /**
     * Each value as a Java object: without a binary API.
     */
    ALBIS_VALUES(TableFormat.ALBIS_ROW) {
        @Override
        long read(FormatFiles files, Dataset dataset)
                throws IOException
        {
            return AlbisRows.readValues(files.folder(dataset, format()), dataset.columns());
        }
    },
    PARQUET_BLOCKS(TableFormat.PARQUET_SNAPPY),
    ORC_BLOCKS(TableFormat.ORC_SNAPPY),
    ARROW_BLOCKS(TableFormat.ARROW_BULK),
    AVRO_RECORDS(TableFormat.AVRO),
    JSON_VALUES(TableFormat.JSON),
    /**/;

    private final TableFormat format;

    ObjectReader(TableFormat format)
    {
        this.format = requireNonNull(format, "format is null");
    }

    public TableFormat format()
    {
        return format;
    }

    @Override
    public String label()
    {
        return name().toLowerCase(ENGLISH);
    }

    @Override
    public boolean isAlbis()
    {
        return format.isAlbis();
    }

    /**
     * Reads all rows.
     *
     * @return a number that depends on all rows or pages, so that no work can be left out
     */
    long read(FormatFiles files, Dataset dataset)
            throws IOException
    {
        long used = 0;
        try (Pages pages = files.open(dataset, format).scan(Scan.all(dataset.columns().size()))) {
            for (Page page = pages.next(); page != null; page = pages.next()) {
                for (int channel = 0; channel < page.getChannelCount(); channel++) {
                    used += System.identityHashCode(page.getBlock(channel));
                }
            }
        }
        return used;
    }
}
