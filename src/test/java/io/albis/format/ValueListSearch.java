package io.albis.format;

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
        Optional<FoundValues> values = reader.findValues(reader::readDirectory, domain, maxRows, Long.MAX_VALUE);
        return values.isEmpty() ? Optional.empty() : reader.readPositions(values.get(), Long.MAX_VALUE);
    }
}
