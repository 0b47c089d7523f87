package io.albis.launcher.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
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
        FileChannel channel = FileChannel.open(file(installation), CREATE, WRITE);
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

    /**
     * Returns whether a launcher holds the lock. The launcher may be that of another user, whose lock this process can
     * only read.
     */
    static boolean isHeld(Installation installation)
            throws IOException
    {
        try (FileChannel channel = FileChannel.open(file(installation), READ);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        }
        catch (NoSuchFileException _) {
            return false;
        }
        catch (OverlappingFileLockException _) {
            return true;
        }
    }

    private static Path file(Installation installation)
    {
        return installation.home().resolve("server.lock");
    }

    @Override
    public void close()
            throws IOException
    {
        channel.close();
    }
}
