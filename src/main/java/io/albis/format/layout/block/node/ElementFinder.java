package io.albis.format.layout.block.node;

import io.albis.format.filter.ValueFilter;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.ValueBlock;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.Arrays;

import static io.airlift.slice.SizeOf.sizeOf;
import static java.util.Objects.requireNonNull;

/**
 * Finds at most one element of each array or map.
 */
abstract sealed class ElementFinder
{
    private static final int NOT_FOUND = -1;

    /**
     * Returns the index of the element in each row, or a negative number for none.
     */
    abstract int[] find(ElementRanges rows)
            throws IOException;

    abstract long retainedSize();

    /**
     * Finds elements of arrays by their index.
     */
    static final class ByIndex
            extends ElementFinder
    {
        private final int index;

        /**
         * @param index index of the element, starting at 1; if it is negative, it counts from the end
         */
        ByIndex(int index)
        {
            this.index = index;
        }

        @Override
        int[] find(ElementRanges rows)
        {
            int[] indexes = new int[rows.count()];
            for (int row = 0; row < indexes.length; row++) {
                int length = rows.length(row);
                if (index > 0) {
                    indexes[row] = index <= length ? index - 1 : NOT_FOUND;
                }
                else {
                    // negative if the array is too short
                    indexes[row] = length + index;
                }
            }
            return indexes;
        }

        @Override
        long retainedSize()
        {
            return 0;
        }
    }

    /**
     * Finds entries of maps by their key.
     */
    static final class ByKey
            extends ElementFinder
    {
        private final NodeDecoder keys;
        private final ValueFilter filter;
        // the last dictionary and which of its entries match, because pages share dictionaries
        @Nullable
        private ValueBlock dictionary;
        private boolean[] dictionaryMatches = {};

        /**
         * @param filter selects the key
         */
        ByKey(NodeDecoder keys, ValueFilter filter)
        {
            this.keys = requireNonNull(keys, "keys is null");
            this.filter = requireNonNull(filter, "filter is null");
        }

        @Override
        int[] find(ElementRanges rows)
                throws IOException
        {
            int[] indexes = new int[rows.count()];
            Arrays.fill(indexes, NOT_FOUND);
            Block block = keys.decode(rows.elements());
            if (block.getPositionCount() == 0) {
                return indexes;
            }
            ArrayNodeDecoder.checkKeys(block);
            boolean[] matches = matches(block);
            int begin = 0;
            for (int row = 0; row < indexes.length; row++) {
                int end = begin + rows.length(row);
                for (int position = begin; position < end; position++) {
                    if (matches[block.getUnderlyingValuePosition(position)]) {
                        indexes[row] = position - begin;
                        break;
                    }
                }
                begin = end;
            }
            return indexes;
        }

        /**
         * Returns which of the underlying values of a block match.
         */
        private boolean[] matches(Block block)
        {
            ValueBlock values = block.getUnderlyingValueBlock();
            if (values == dictionary) {
                return dictionaryMatches;
            }
            int[] selected = new int[values.getPositionCount()];
            int size = filter.select(values, selected.length, selected);
            boolean[] matches = new boolean[selected.length];
            for (int i = 0; i < size; i++) {
                matches[selected[i]] = true;
            }
            if (block instanceof DictionaryBlock) {
                dictionary = values;
                dictionaryMatches = matches;
            }
            return matches;
        }

        @Override
        long retainedSize()
        {
            return keys.retainedSize() + filter.retainedSize() + sizeOf(dictionaryMatches);
        }
    }
}
