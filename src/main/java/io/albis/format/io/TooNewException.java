package io.albis.format.io;

import com.google.errorprone.annotations.FormatMethod;

/**
 * Thrown while decoding a file whose checksums match, for a code, flag, or section that this reader does not know. The
 * file is not damaged: a newer version of Albis has written it.
 */
public class TooNewException
        extends IllegalArgumentException
{
    @FormatMethod
    public TooNewException(String messageFormat, Object... arguments)
    {
        super(messageFormat.formatted(arguments));
    }
}
