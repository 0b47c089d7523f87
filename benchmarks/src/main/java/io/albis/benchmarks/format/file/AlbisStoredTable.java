package io.albis.benchmarks.format.file;

import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.ReaderResources;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * The row groups of a table, from which the connector would create splits. They are read as in a scan, but without the
 * metadata cache, because Parquet footers are also read in every scan.
 */
record AlbisStoredTable(TrinoFileSystem fileSystem, List<AlbisColumn> columns, List<RowGroup> rowGroups)
        implements StoredTable
{
    AlbisStoredTable
    {
        requireNonNull(fileSystem, "fileSystem is null");
        requireNonNull(columns, "columns is null");
        requireNonNull(rowGroups, "rowGroups is null");
    }

    @Override
    public Pages scan(Scan scan)
    {
        RowGroupScan rowGroupScan = RowGroupScan.of(
                scan.columns().stream()
                        .map(columns::get)
                        .collect(toImmutableList()),
                scan.predicate().transformKeys(columns::get));
        return new RowGroupPages(rowGroupScan, rowGroups.iterator());
    }

    private class RowGroupPages
            implements Pages
    {
        private final RowGroupScan scan;
        private final ReaderResources resources;
        private final Iterator<RowGroup> remaining;
        @Nullable
        private RowGroupReader reader;

        public RowGroupPages(RowGroupScan scan, Iterator<RowGroup> remaining)
        {
            this.scan = requireNonNull(scan, "scan is null");
            this.resources = ReaderResources.alone(AlbisFormat.TABLE, scan.columns().size());
            this.remaining = requireNonNull(remaining, "remaining is null");
        }

        @Nullable
        @Override
        public Page next()
                throws IOException
        {
            while (true) {
                if (reader == null && !openNext()) {
                    return null;
                }
                AlbisBatch batch = reader.next();
                if (batch != null) {
                    return load(batch);
                }
                close();
            }
        }

        private boolean openNext()
                throws IOException
        {
            while (remaining.hasNext()) {
                RowGroup rowGroup = remaining.next();
                if (StatisticsDomains.overlaps(rowGroup, scan.predicate())) {
                    reader = RowGroupReader.open(fileSystem, AlbisFormat.TABLE, rowGroup, scan, ReaderOptions.DEFAULTS, resources);
                    return true;
                }
            }
            return false;
        }

        private Page load(AlbisBatch batch)
                throws IOException
        {
            Block[] blocks = new Block[scan.columns().size()];
            for (int channel = 0; channel < blocks.length; channel++) {
                blocks[channel] = batch.block(channel);
            }
            return new Page(batch.positionCount(), blocks);
        }

        @Override
        public void close()
                throws IOException
        {
            if (reader != null) {
                reader.close();
                reader = null;
            }
        }
    }
}
