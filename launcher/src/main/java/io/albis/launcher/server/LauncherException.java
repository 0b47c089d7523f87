package io.albis.launcher.server;

/**
 * An error that the user can understand and fix. The launcher prints only its message.
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
