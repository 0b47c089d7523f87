package io.albis.trino.sink;

import io.airlift.log.Logger;
import io.airlift.slice.Slice;
import io.albis.format.metadata.RowGroup;
import io.albis.format.write.PageWriter;
import io.albis.table.sketch.PageSketcher;
import io.albis.trino.fragment.WriteFragments;
import io.trino.spi.Page;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

/**
 * Writes pages as row groups, which are not visible before the commit. Its fragments describe the row groups for the
 * commit.
 */
public class AlbisPageSink
        implements RowSink
{
    private static final Logger log = Logger.get(AlbisPageSink.class);

    private final PageWriter writer;
    private final PageSketcher sketcher;
    private final WriteStats stats;

    public AlbisPageSink(PageWriter writer, PageSketcher sketcher, WriteStats stats)
    {
        this.writer = requireNonNull(writer, "writer is null");
        this.sketcher = requireNonNull(sketcher, "sketcher is null");
        this.stats = requireNonNull(stats, "stats is null");
    }

    @Override
    public CompletableFuture<?> appendPage(Page page)
    {
        translateAction(() -> writer.append(page));
        sketcher.append(page);
        return NOT_BLOCKED;
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish()
    {
        List<RowGroup> rowGroups = translate(writer::finish);
        stats.finished(rowGroups.size(), writer.writtenBytes());
        return completedFuture(WriteFragments.encode(rowGroups, sketcher.finish()));
    }

    @Override
    public void abort()
    {
        stats.aborted();
        try {
            writer.abort();
        }
        catch (IOException | RuntimeException e) {
            // not thrown: the files belong to no table, and the user needs the reason why the query failed
            log.warn(e, "Cannot remove the files of a failed write");
        }
    }

    @Override
    public long getCompletedBytes()
    {
        return writer.writtenBytes();
    }

    @Override
    public long getMemoryUsage()
    {
        return writer.memoryUsage() + sketcher.retainedSize();
    }
}
