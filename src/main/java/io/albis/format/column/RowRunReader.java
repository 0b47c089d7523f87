package io.albis.format.column;

import io.albis.format.io.AlbisDataException;
import io.albis.format.io.ReadBuffers;
import io.albis.format.layout.row.RowDecoder;
import io.albis.format.layout.row.RowStructure;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.StoredColumn;
import io.albis.format.request.ChunkReader;
import io.albis.format.request.DataFile;
import io.albis.format.run.RunBytes;
import jakarta.annotation.Nullable;

import java.io.IOException;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Reads the runs of a column group in the row layout. All scalar columns of the group share one reader.
 */
public final class RowRunReader
{
    private static final int NONE = -1;

    private final DataFile file;
    private final RowStructure structure;
    private final ChunkReader chunks;
    private final ReadBuffers buffers;

    private int segment = NONE;
    private int run = NONE;
    @Nullable
    private RowDecoder decoder;

    public RowRunReader(ColumnGroupMetadata metadata, DataFile file, ChunkReader chunks, ReadBuffers buffers)
    {
        this.file = file;
        this.structure = new RowStructure(metadata.rowColumns().stream()
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
     * Returns a decoder of rows of a run, which remains valid until the next call.
     *
     * @param rows rows within the run; null for all rows
     * @param count number of rows
     */
    RowDecoder decoder(int run, @Nullable int[] rows, int count)
            throws IOException
    {
        // The place of a row with a variable-width column is known only from the sizes of all rows before it.
        boolean some = rows != null && !structure.isVariable();
        if (some || this.run != run) {
            this.run = NONE;
            RunBytes bytes = some ? chunks.run(run, count, (pages, _) -> pages.addValues(0, structure.fixedSize(), rows, 0, count)) : chunks.run(run, false);
            try {
                RowDecoder next = new RowDecoder(structure, bytes.bytes(), bytes.offset(), bytes.length(), bytes.rows());
                buffers.countOther(next.retainedSize() - (decoder == null ? 0 : decoder.retainedSize()));
                decoder = next;
            }
            catch (IllegalArgumentException e) {
                throw invalid(e);
            }
            // the bytes of other rows may not be in memory
            this.run = some ? NONE : run;
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
