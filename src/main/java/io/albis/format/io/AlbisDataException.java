package io.albis.format.io;

import com.google.errorprone.annotations.FormatMethod;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * What is in a file cannot be read: it is damaged, or written by a version of Albis that this one does not know.
 * The message names the file and, where they are known, the column group and the segment.
 */
public class AlbisDataException
        extends IOException
{
    public enum Reason
    {
        /**
         * The bytes are not what was written: damaged, cut off, or those of another file.
         */
        DAMAGED,
        /**
         * The file is well formed and needs a newer reader.
         */
        TOO_NEW,
        /**
         * The file is well formed and of a version that is read no longer.
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
     * The same, which says more exactly where.
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
