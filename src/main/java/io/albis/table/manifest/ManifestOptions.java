package io.albis.table.manifest;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * How manifests are read and written.
 *
 * @param pieceLength a manifest that has so many bytes is full: more row groups go to the next one
 * @param maxLength no manifest has more bytes, and a reader believes none that a version says has more
 */
public record ManifestOptions(ManifestSource source, long pieceLength, long maxLength)
{
    static final long PIECE_LENGTH = 4 << 20;
    // what a version may have, too: the row group of a table of 100,000 columns takes less
    static final long MAX_LENGTH = 64 << 20;
    public static final ManifestOptions DEFAULT = of(ManifestSource.FILES);

    public ManifestOptions
    {
        requireNonNull(source, "source is null");
        checkArgument(pieceLength > 0 && pieceLength <= maxLength && maxLength < Integer.MAX_VALUE, "lengths are out of range: %s, %s", pieceLength, maxLength);
    }

    public static ManifestOptions of(ManifestSource source)
    {
        return new ManifestOptions(source, PIECE_LENGTH, MAX_LENGTH);
    }
}
