package io.albis.table.manifest;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Options for reading and writing manifests.
 *
 * @param source source from which manifests are read
 * @param pieceLength length in bytes from which on a manifest is full, so that further row groups go to the next one
 * @param maxLength maximum length of a manifest in bytes; a reader rejects a version that refers to a longer one
 */
public record ManifestOptions(ManifestSource source, long pieceLength, long maxLength)
{
    static final long PIECE_LENGTH = 4 << 20;
    // The same as the maximum length of a version. The entry of a row group of 100,000 columns is shorter
    static final long MAX_LENGTH = 64 << 20;
    private static final int REWRITE_SHARE = 64;
    public static final ManifestOptions DEFAULT = of(ManifestSource.FILES);

    public ManifestOptions
    {
        requireNonNull(source, "source is null");
        checkArgument(pieceLength > 0 && pieceLength <= maxLength && maxLength < Integer.MAX_VALUE, "lengths are out of range: %s, %s", pieceLength, maxLength);
    }

    /**
     * Returns the length in bytes below which a manifest is written again when one of its entries changes, 64 kB by
     * default. The other manifests are kept, and the version lists the entries that are removed from them.
     */
    public long rewriteLength()
    {
        return pieceLength / REWRITE_SHARE;
    }

    public static ManifestOptions of(ManifestSource source)
    {
        return new ManifestOptions(source, PIECE_LENGTH, MAX_LENGTH);
    }
}
