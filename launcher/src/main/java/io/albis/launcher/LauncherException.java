package io.albis.launcher;

/**
 * Something the user can understand and act upon: the message is all there is to show.
 */
public class LauncherException
        extends RuntimeException
{
    public LauncherException(String message)
    {
        super(message);
    }

    public LauncherException(String message, Throwable cause)
    {
        super(message, cause);
    }
}
