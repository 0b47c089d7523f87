package io.albis.format.request;

import io.albis.format.run.Chunk;

/**
 * The parts of a chunk: its dictionary, which can be empty, and its runs. They follow each other in the data file
 * without gaps. Part 0 is the dictionary, and part n + 1 is run n. Sets of parts have a bit for each part.
 */
final class ChunkParts
{
    static final int DICTIONARY = 0;
    static final int DICTIONARY_BIT = 1;

    // where each part begins, and the last one ends
    private final long[] offsets;

    ChunkParts(Chunk chunk)
    {
        offsets = new long[chunk.runs().size() + 2];
        offsets[0] = chunk.offset();
        offsets[1] = chunk.offset() + chunk.dictionaryLength();
        for (int run = 0; run < chunk.runs().size(); run++) {
            offsets[run + 2] = offsets[run + 1] + chunk.runs().get(run).paddedLength();
        }
    }

    static int part(int run)
    {
        return run + 1;
    }

    /**
     * Returns the name of a part for error messages.
     */
    static String name(int part)
    {
        return part == DICTIONARY ? "dictionary" : "run " + (part - 1);
    }

    /**
     * Returns the parts of runs.
     *
     * @param runs a bit for each run
     * @return a bit for each of their parts
     */
    static int parts(int runs)
    {
        return runs << 1;
    }

    /**
     * Returns the runs among parts.
     *
     * @param parts a bit for each part
     * @return a bit for each run among them
     */
    static int runs(int parts)
    {
        return parts >>> 1;
    }

    int count()
    {
        return offsets.length - 1;
    }

    /**
     * Returns the offset of the first byte of a part in the data file.
     */
    long begin(int part)
    {
        return offsets[part];
    }

    /**
     * Returns the offset after the last byte of a part in the data file.
     */
    long end(int part)
    {
        return offsets[part + 1];
    }

    /**
     * Returns the number of bytes of a part, with padding.
     */
    long length(int part)
    {
        return end(part) - begin(part);
    }

    /**
     * Returns the number of bytes of the parts in a set, with padding.
     */
    long totalLength(int parts)
    {
        long length = 0;
        for (int part = 0; part < count(); part++) {
            length += isIn(part, parts) ? length(part) : 0;
        }
        return length;
    }

    /**
     * Returns whether a part is in a set and has bytes. A run of nulls has none.
     */
    boolean isIn(int part, int parts)
    {
        return (parts & (1 << part)) != 0 && begin(part) < end(part);
    }
}
