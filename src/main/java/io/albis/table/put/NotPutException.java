package io.albis.table.put;

import java.io.IOException;

/**
 * Signals that the storage failed before the request that creates the file. The file does not exist because of this
 * attempt, and this attempt cannot create it later.
 */
final class NotPutException
        extends IOException
{
    NotPutException(IOException cause)
    {
        super(cause.getMessage(), cause);
    }
}
