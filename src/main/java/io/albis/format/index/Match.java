package io.albis.format.index;

/**
 * A value that a search has found.
 *
 * @param begin where its positions begin in the positions of the index
 * @param length number of bytes of its positions
 * @param rows number of its rows
 */
record Match(int begin, int length, int rows)
{
    int end()
    {
        return begin + length;
    }
}
