package io.albis.benchmarks.format.file;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.type.FixedWidthType;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.List;

/**
 * The size of the values of pages, without nulls and regardless of how a format stores them. The papers divide it by
 * the time of a scan, so that formats with larger files do not look faster.
 */
public final class DataBytes
{
    private DataBytes() {}

    /**
     * Returns the number of bytes of all values: those of the primitive type in memory, or those of a text.
     */
    public static long of(Pages pages, List<Type> types)
            throws IOException
    {
        long bytes = 0;
        for (Page page = pages.next(); page != null; page = pages.next()) {
            for (int channel = 0; channel < types.size(); channel++) {
                bytes += of(types.get(channel), page.getBlock(channel));
            }
        }
        return bytes;
    }

    private static long of(Type type, Block block)
    {
        long bytes = 0;
        for (int position = 0; position < block.getPositionCount(); position++) {
            if (!block.isNull(position)) {
                bytes += type instanceof FixedWidthType fixed ? fixed.getFixedSize() : type.getSlice(block, position).length();
            }
        }
        return bytes;
    }
}
