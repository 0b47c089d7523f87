package io.albis.table.sketch;

import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;

import java.util.Arrays;

import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Builds the sketch of one column for one writer.
 */
final class ColumnSketcher
{
    private final int columnId;
    private final OrderKeys orderKeys;
    private final HashBatch batch;
    private final DistinctCounter distinct = new DistinctCounter();

    private long values;
    private long bytes;

    /**
     * Creates a sketcher that has not seen any values yet.
     *
     * @param batch buffer for hashes, shared with other columns and used only during a call
     */
    ColumnSketcher(AlbisColumn column, HashBatch batch)
    {
        this.columnId = column.id();
        this.orderKeys = OrderKeys.of(column.type());
        this.batch = requireNonNull(batch, "batch is null");
    }

    void append(Block block)
    {
        switch (block) {
            case ValueBlock valueBlock -> appendValues(valueBlock);
            case RunLengthEncodedBlock run -> appendRun(run.getValue(), run.getPositionCount());
            case DictionaryBlock dictionaryBlock -> appendDictionary(dictionaryBlock);
        }
    }

    private void appendValues(ValueBlock block)
    {
        for (int offset = 0; offset < block.getPositionCount(); offset += HashBatch.CAPACITY) {
            addHashes(block, offset);
            values += batch.size();
            bytes += batch.valueBytes();
        }
    }

    private void appendRun(ValueBlock value, int count)
    {
        if (value.isNull(0)) {
            return;
        }
        addHashes(value, 0);
        values += count;
        bytes += count * batch.valueBytes();
    }

    private void appendDictionary(DictionaryBlock block)
    {
        ValueBlock dictionary = block.getDictionary();
        int count = block.getPositionCount();
        int[] ids = block.getRawIds();
        int offset = block.getRawIdsOffset();
        if (dictionary.getPositionCount() > count) {
            appendEntries(dictionary, Arrays.copyOfRange(ids, offset, offset + count));
            return;
        }
        // The block may not use all entries of its dictionary
        int[] uses = new int[dictionary.getPositionCount()];
        for (int i = offset; i < offset + count; i++) {
            uses[ids[i]]++;
        }
        int[] used = new int[uses.length];
        int usedCount = 0;
        boolean nullable = dictionary.mayHaveNull();
        for (int id = 0; id < uses.length; id++) {
            if (uses[id] > 0 && !(nullable && dictionary.isNull(id))) {
                used[usedCount] = id;
                usedCount++;
                values += uses[id];
                if (dictionary instanceof VariableWidthBlock variableWidth) {
                    bytes += (long) uses[id] * variableWidth.getSliceLength(id);
                }
            }
        }
        ValueBlock usedValues = usedCount == uses.length ? dictionary : dictionary.copyPositions(used, 0, usedCount);
        for (int i = 0; i < usedCount; i += HashBatch.CAPACITY) {
            addHashes(usedValues, i);
        }
    }

    // Copies each entry that the block uses only once, because entries may be large
    private void appendEntries(ValueBlock dictionary, int[] ids)
    {
        Arrays.sort(ids);
        int entries = 0;
        for (int begin = 0; begin < ids.length; ) {
            int id = ids[begin];
            int end = begin + 1;
            while (end < ids.length && ids[end] == id) {
                end++;
            }
            if (!dictionary.isNull(id)) {
                values += end - begin;
                if (dictionary instanceof VariableWidthBlock variableWidth) {
                    bytes += (long) (end - begin) * variableWidth.getSliceLength(id);
                }
                ids[entries] = id;
                entries++;
            }
            begin = end;
        }
        ValueBlock copied = dictionary.copyPositions(ids, 0, entries);
        for (int i = 0; i < entries; i += HashBatch.CAPACITY) {
            addHashes(copied, i);
        }
    }

    private void addHashes(ValueBlock block, int offset)
    {
        batch.fill(orderKeys, block, offset, min(HashBatch.CAPACITY, block.getPositionCount() - offset));
        distinct.add(batch.hashes(), batch.size());
    }

    ColumnSketch finish()
    {
        return new ColumnSketch(columnId, values, bytes, distinct.finish().serialize());
    }

    long retainedSize()
    {
        return distinct.retainedSize();
    }
}
