package io.albis.format.layout.block;

import io.airlift.slice.Slices;
import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunRows;
import io.albis.format.run.RunSource;
import io.albis.format.run.SegmentRows;
import io.trino.spi.block.VariableWidthBlock;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.Optional;

import static io.airlift.slice.SizeOf.sizeOf;
import static java.util.Objects.requireNonNull;

/**
 * Decodes variable-width values. The block of a whole run refers to the bytes of the run. The block of selected rows is
 * a copy.
 */
final class BytesDecoder
{
    private final RunSource runs;
    // offsets of the values of one run; null until rows are selected
    @Nullable
    private int[] runOffsets;

    BytesDecoder(RunSource runs)
    {
        this.runs = requireNonNull(runs, "runs is null");
    }

    VariableWidthBlock decode(SegmentRows rows)
            throws IOException
    {
        if (rows.isRun()) {
            return decodeAll(runs.run(rows.firstRun(), true));
        }
        return decodeSome(rows);
    }

    /**
     * Returns the memory in bytes that this decoder retains between pages.
     */
    long retainedSize()
    {
        return runOffsets == null ? 0 : sizeOf(runOffsets);
    }

    /**
     * Decodes all values of a run into a block that refers to the bytes of the run.
     */
    static VariableWidthBlock decodeAll(RunBytes run)
    {
        int[] offsets = new int[run.rows() + 1];
        BytesOffsets values = new BytesOffsets(run);
        values.readAll(offsets);
        return new VariableWidthBlock(run.rows(), Slices.wrappedBuffer(run.bytes(), values.values(), offsets[run.rows()]), offsets, validity(run));
    }

    private static Optional<long[]> validity(RunBytes run)
    {
        ValidityDecoder validity = new ValidityDecoder(run.rows());
        validity.append(run);
        return validity.build();
    }

    private VariableWidthBlock decodeSome(SegmentRows rows)
            throws IOException
    {
        if (runOffsets == null) {
            runOffsets = new int[Run.MAX_ROWS + 1];
        }
        ValidityDecoder validity = new ValidityDecoder(rows.count());
        BytesGatherer gatherer = new BytesGatherer(rows);
        for (RunRows part : rows.byRun()) {
            RunBytes run = runs.run(part.run(), part.pieces(), (pages, bytes) -> new BytesOffsets(bytes).addLengths(pages, rows, part));
            BytesOffsets values = new BytesOffsets(run);
            if (part.ranges().isPresent()) {
                values.readRange(part.ranges().get().first(), part.ranges().get().span(), runOffsets);
                validity.append(run, part.ranges().get());
            }
            else {
                values.readSome(rows.list(), part.begin(), part.end(), runOffsets);
                validity.append(run, rows.list(), part.begin(), part.end());
            }
            runs.run(part.run(), part.pieces(), (pages, _) -> values.addValues(pages, rows, part, runOffsets));
            gatherer.add(part, run.bytes(), values.values(), runOffsets);
        }
        return new VariableWidthBlock(rows.count(), Slices.wrappedBuffer(gatherer.copy()), gatherer.offsets(), validity.build());
    }
}
