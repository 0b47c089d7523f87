package io.albis.format.index;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The place of the index of a column in the data file.
 *
 * @param directory the first value of each page
 * @param pages the distinct values in ascending order, in pages
 * @param postings the positions of the rows without a value, followed by those of each value
 * @param rows number of rows of all values, without nulls
 * @param values number of distinct values
 * @param nulls number of rows without a value
 * @param nullsLength number of bytes of the positions of these rows
 */
public record ValueList(StoredRange directory, StoredRange pages, StoredRange postings, int rows, int values, int nulls, int nullsLength)
{
    public ValueList
    {
        requireNonNull(directory, "directory is null");
        requireNonNull(pages, "pages is null");
        requireNonNull(postings, "postings is null");
        checkArgument(rows >= 0 && values >= 0 && values <= rows && nulls >= 0, "an index cannot have %s values, %s rows, and %s nulls", values, rows, nulls);
        checkArgument(nullsLength >= 0 && nullsLength <= postings.length(), "the positions of nulls have %s bytes of %s", nullsLength, postings.length());
    }

    /**
     * Returns the number of bytes of the index in the data file, without padding.
     */
    public long length()
    {
        return (long) directory.length() + pages.length() + postings.length();
    }
}
