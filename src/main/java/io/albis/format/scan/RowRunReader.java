package io.albis.format.scan;

import io.albis.format.io.AlbisDataException;
import io.albis.format.io.ReadBuffers;
import io.albis.format.layout.row.RowDecoder;
import io.albis.format.layout.row.RowLayout;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.StoredColumn;
import io.albis.format.request.ChunkReader;
import io.albis.format.request.DataFile;
import io.albis.format.run.RunBytes;
import jakarta.annotation.Nullable;

import java.io.IOException;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Reads the runs of a column group in the row layout. All columns of the group share one reader.
 */
final class RowRunReader
{
    private static final int NONE = -1;

    private final DataFile file;
    private final RowLayout layout;
    private final ChunkReader chunks;
    private final ReadBuffers buffers;

    private int segment = NONE;
    private int run = NONE;
    @Nullable
    private RowDecoder decoder;

    RowRunReader(ColumnGroupMetadata metadata, DataFile file, ChunkReader chunks, ReadBuffers buffers)
    {
        this.file = file;
        this.layout = new RowLayout(metadata.columns().stream()
                .map(StoredColumn::storageType)
                .collect(toImmutableList()));
        this.chunks = chunks;
        this.buffers = buffers;
    }

    void startSegment(int segment)
            throws IOException
    {
        if (this.segment != segment) {
            this.segment = segment;
            run = NONE;
            chunks.start(segment);
        }
    }

    ChunkReader chunks()
    {
        return chunks;
    }

    /**
     * Returns the decoder of a run, which remains valid until the next call.
     */
    RowDecoder decoder(int run)
            throws IOException
    {
        if (this.run != run) {
            this.run = NONE;
            RunBytes bytes = chunks.run(run, false);
            try {
                RowDecoder next = new RowDecoder(layout, bytes.bytes(), bytes.offset(), bytes.length(), bytes.rows());
                buffers.countOther(next.retainedSize() - (decoder == null ? 0 : decoder.retainedSize()));
                decoder = next;
            }
            catch (IllegalArgumentException e) {
                throw invalid(e);
            }
            this.run = run;
        }
        return decoder;
    }

    AlbisDataException invalid(Exception cause)
    {
        return invalid(segment, cause);
    }

    AlbisDataException invalid(int segment, Exception cause)
    {
        return file.invalid(segment, cause);
    }
}
