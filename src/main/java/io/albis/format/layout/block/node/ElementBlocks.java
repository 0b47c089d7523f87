package io.albis.format.layout.block.node;

import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.MapBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.MapType;
import io.trino.spi.type.Type;

import java.util.Arrays;

/**
 * Creates blocks from single elements of arrays or maps.
 */
final class ElementBlocks
{
    private ElementBlocks() {}

    /**
     * Returns the element of each row, or null where there is none.
     *
     * @param indexes by row, a negative number if there is no element
     * @param elements the elements of the other rows
     */
    static Block values(Type type, int[] indexes, Block elements)
    {
        if (elements.getPositionCount() == indexes.length) {
            return elements;
        }
        if (elements.getPositionCount() == 0) {
            return RunLengthEncodedBlock.create(type, null, indexes.length);
        }
        int[] positions = new int[indexes.length];
        int element = 0;
        int missing = elements.getUnderlyingValueBlock().getPositionCount();
        for (int row = 0; row < indexes.length; row++) {
            if (indexes[row] < 0) {
                positions[row] = missing;
            }
            else {
                positions[row] = elements.getUnderlyingValuePosition(element);
                element++;
            }
        }
        ValueBlock values = elements.getUnderlyingValueBlock().copyWithAppendedNull();
        return elements instanceof ValueBlock ? values.copyPositions(positions, 0, positions.length) : DictionaryBlock.create(positions.length, values, positions);
    }

    /**
     * Returns arrays that end at an index, or earlier if they are shorter. All elements before the index are null.
     *
     * @param index index of the last element, starting at 1
     * @param indexes by row, a negative number if the array is shorter
     * @param elements the last elements of the other rows
     */
    static Block prefixes(int index, ElementRanges rows, int[] indexes, Block elements)
    {
        int[] offsets = new int[rows.count() + 1];
        for (int row = 0; row < rows.count(); row++) {
            offsets[row + 1] = Math.addExact(offsets[row], Math.min(rows.length(row), index));
        }
        int missing = elements.getUnderlyingValueBlock().getPositionCount();
        int[] positions = new int[offsets[rows.count()]];
        Arrays.fill(positions, missing);
        int element = 0;
        for (int row = 0; row < rows.count(); row++) {
            if (indexes[row] >= 0) {
                positions[offsets[row + 1] - 1] = elements.getUnderlyingValuePosition(element);
                element++;
            }
        }
        ValueBlock values = elements.getUnderlyingValueBlock().copyWithAppendedNull();
        return ArrayBlock.fromElementBlock(rows.count(), rows.validity(), offsets, DictionaryBlock.create(positions.length, values, positions));
    }

    /**
     * Returns maps that have at most one entry.
     *
     * @param key the key of all entries
     * @param indexes by row, a negative number if the map is empty
     * @param elements the values of the other rows
     */
    static Block entries(MapType type, ValueBlock key, ElementRanges rows, int[] indexes, Block elements)
    {
        int[] offsets = new int[rows.count() + 1];
        for (int row = 0; row < rows.count(); row++) {
            offsets[row + 1] = offsets[row] + (indexes[row] < 0 ? 0 : 1);
        }
        return MapBlock.fromKeyValueBlock(rows.validity(), offsets, RunLengthEncodedBlock.create(key, elements.getPositionCount()), elements, type);
    }
}
