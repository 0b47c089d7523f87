package io.albis.format.search;

import io.albis.format.index.DirectorySource;
import io.albis.format.index.ValueListReader;

import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * The index of a column of a row group.
 *
 * @param columnGroup id of the column group
 * @param reader reads the index; not thread safe
 * @param directory provides the directory of the index
 */
public record SearchedIndex(UUID columnGroup, ValueListReader reader, DirectorySource directory)
{
    public SearchedIndex
    {
        requireNonNull(columnGroup, "columnGroup is null");
        requireNonNull(reader, "reader is null");
        requireNonNull(directory, "directory is null");
    }
}
