package io.albis.table.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

import static java.util.Objects.requireNonNull;

/**
 * An output stream that forces the file and its name to disk when it is closed. The file is durable if closing
 * succeeds.
 */
final class DurableOutputStream
        extends OutputStream
{
    private final OutputStream output;
    private final FileChannel channel;
    private final LocalFolders folders;
    private final Path path;

    private boolean closed;

    /**
     * Creates a stream that writes to another stream.
     *
     * @param channel open channel of the same file
     * @param path path of the same file
     */
    DurableOutputStream(OutputStream output, FileChannel channel, LocalFolders folders, Path path)
    {
        this.output = requireNonNull(output, "output is null");
        this.channel = requireNonNull(channel, "channel is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.path = requireNonNull(path, "path is null");
    }

    @Override
    public void write(int value)
            throws IOException
    {
        output.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length)
            throws IOException
    {
        output.write(bytes, offset, length);
    }

    @Override
    public void flush()
            throws IOException
    {
        output.flush();
    }

    @Override
    public void close()
            throws IOException
    {
        if (closed) {
            return;
        }
        closed = true;
        try (channel) {
            output.close();
            channel.force(true);
        }
        folders.forceNames(path);
    }
}
