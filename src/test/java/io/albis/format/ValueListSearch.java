package io.albis.format;

import io.albis.format.filter.TestedValues;
import io.albis.format.index.FoundValues;
import io.albis.format.index.ValueListReader;
import io.trino.spi.predicate.Domain;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.Optional;

/**
 * Takes all steps of a search of an index, without a limit of the bytes.
 */
public final class ValueListSearch
{
    private ValueListSearch() {}

    /**
     * Returns the positions of the rows that a domain contains.
     *
     * @return empty if there are more rows, or if the search would take too many requests
     */
    public static Optional<RoaringBitmap> find(ValueListReader reader, Domain domain, int maxRows)
            throws IOException
    {
        if (!reader.canSearch(domain)) {
            return Optional.empty();
        }
        return readPositions(reader, reader.findValues(reader::readDirectory, domain, maxRows, Long.MAX_VALUE));
    }

    /**
     * Returns the positions of the rows that may match tests of their values.
     *
     * @return empty if there are more rows, or if the values cannot be tested, or if the search would take too many
     *         requests
     */
    public static Optional<RoaringBitmap> find(ValueListReader reader, TestedValues tests, int maxRows)
            throws IOException
    {
        if (!reader.canTest()) {
            return Optional.empty();
        }
        return readPositions(reader, reader.findValues(reader::readDirectory, tests, maxRows, Long.MAX_VALUE));
    }

    private static Optional<RoaringBitmap> readPositions(ValueListReader reader, Optional<FoundValues> values)
            throws IOException
    {
        return values.isEmpty() ? Optional.empty() : reader.readPositions(values.get(), Long.MAX_VALUE);
    }
}
