package io.albis.launcher.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.util.Optional;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

/**
 * A lock that the launcher holds while its server runs. The operating system releases it even if the launcher is
 * killed.
 */
final class ServerLock
        implements AutoCloseable
{
    private final FileChannel channel;

    private ServerLock(FileChannel channel)
    {
        this.channel = requireNonNull(channel, "channel is null");
    }

    static Optional<ServerLock> tryAcquire(Installation installation)
            throws IOException
    {
        createDirectories(installation.home());
        FileChannel channel = FileChannel.open(installation.home().resolve("server.lock"), CREATE, WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return Optional.of(new ServerLock(channel));
            }
        }
        catch (OverlappingFileLockException _) {
            // Another thread of this process holds the lock
        }
        catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return Optional.empty();
    }

    @Override
    public void close()
            throws IOException
    {
        channel.close();
    }
}
