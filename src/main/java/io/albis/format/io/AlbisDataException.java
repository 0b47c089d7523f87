package io.albis.format.io;

import com.google.errorprone.annotations.FormatMethod;
import io.trino.filesystem.Location;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * Thrown when the content of a file cannot be read, because the file is damaged or was written by an incompatible
 * version of Albis. The message names the file and, where known, the column group and the segment.
 */
public class AlbisDataException
        extends IOException
{
    public enum Reason
    {
        /**
         * The bytes differ from what was written: the file is damaged or truncated, or the bytes belong to another
         * file.
         */
        DAMAGED,
        /**
         * The file is well formed and requires a newer reader.
         */
        TOO_NEW,
        /**
         * The file is well formed and has a version that is no longer supported.
         */
        TOO_OLD,
    }

    private final Reason reason;

    @FormatMethod
    public AlbisDataException(Reason reason, String messageFormat, Object... arguments)
    {
        super(messageFormat.formatted(arguments));
        this.reason = requireNonNull(reason, "reason is null");
    }

    @FormatMethod
    public static AlbisDataException damaged(String messageFormat, Object... arguments)
    {
        return new AlbisDataException(Reason.DAMAGED, messageFormat, arguments);
    }

    /**
     * Creates the exception for content that this reader does not know.
     */
    public static AlbisDataException tooNew(Location location, TooNewException cause)
    {
        AlbisDataException exception = new AlbisDataException(Reason.TOO_NEW, "Albis file %s requires a newer version of Albis (%s). Upgrade the Albis plugin", location, cause.getMessage());
        exception.initCause(cause);
        return exception;
    }

    /**
     * Returns this exception with a more precise location in its message.
     */
    public AlbisDataException at(String place)
    {
        AlbisDataException exception = new AlbisDataException(reason, "%s (%s)", getMessage(), place);
        exception.initCause(this);
        return exception;
    }

    public Reason reason()
    {
        return reason;
    }
}
