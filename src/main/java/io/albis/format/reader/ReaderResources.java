package io.albis.format.reader;

import static java.util.Objects.requireNonNull;

/**
 * What the readers of a process share.
 *
 * @param metadata where the metadata of column groups comes from
 */
public record ReaderResources(MetadataSource metadata)
{
    public static final ReaderResources NONE = new ReaderResources(MetadataSource.FILES);

    public ReaderResources
    {
        requireNonNull(metadata, "metadata is null");
    }
}
