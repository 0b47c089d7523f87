package io.albis.format.index;

import org.roaringbitmap.BitmapContainer;
import org.roaringbitmap.Container;
import org.roaringbitmap.ContainerPointer;
import org.roaringbitmap.PeekableCharIterator;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.RunContainer;

import java.nio.LongBuffer;

/**
 * Checks the order and the cardinality of a bitmap that was read. The check of the library also refuses containers that
 * are not as small as possible, which other writers may write, and accepts a last range that ends after its container.
 */
final class BitmapCheck
{
    // the number of positions that a container can have
    private static final int CONTAINER_POSITIONS = 1 << 16;

    private BitmapCheck() {}

    static boolean isValid(RoaringBitmap bitmap)
    {
        int previousKey = -1;
        for (ContainerPointer pointer = bitmap.getContainerPointer(); pointer.getContainer() != null; pointer.advance()) {
            if (pointer.key() <= previousKey || pointer.getContainer().isEmpty() || !isValid(pointer.getContainer())) {
                return false;
            }
            previousKey = pointer.key();
        }
        return true;
    }

    private static boolean isValid(Container container)
    {
        return switch (container) {
            case RunContainer runs -> areOrdered(runs);
            case BitmapContainer bits -> ones(bits) == bits.getCardinality();
            default -> isAscending(container);
        };
    }

    /**
     * Returns whether ranges neither overlap nor end after the last position of a container. They may touch.
     */
    private static boolean areOrdered(RunContainer runs)
    {
        int end = 0;
        for (int run = 0; run < runs.numberOfRuns(); run++) {
            int begin = runs.getValue(run);
            if (begin < end) {
                return false;
            }
            end = begin + runs.getLength(run) + 1;
        }
        return end <= CONTAINER_POSITIONS;
    }

    private static int ones(BitmapContainer bits)
    {
        int ones = 0;
        // the position of the buffer is its end
        LongBuffer words = bits.toLongBuffer().flip();
        while (words.hasRemaining()) {
            ones += Long.bitCount(words.get());
        }
        return ones;
    }

    private static boolean isAscending(Container positions)
    {
        int previous = -1;
        for (PeekableCharIterator iterator = positions.getCharIterator(); iterator.hasNext(); ) {
            int position = iterator.next();
            if (position <= previous) {
                return false;
            }
            previous = position;
        }
        return true;
    }
}
