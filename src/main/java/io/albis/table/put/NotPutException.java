package io.albis.table.put;

import java.io.IOException;

/**
 * The storage failed before it was asked to create the file: it was not created, and will not be.
 */
final class NotPutException
        extends IOException
{
    NotPutException(IOException cause)
    {
        super(cause.getMessage(), cause);
    }
}
