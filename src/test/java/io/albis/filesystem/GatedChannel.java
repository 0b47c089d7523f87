package io.albis.filesystem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

import static java.util.Objects.requireNonNull;

/**
 * A file of {@link GatedFiles} that is written or forced to disk.
 */
final class GatedChannel
        extends FileChannel
{
    private final FileChannel channel;
    private final StorageGate gate;

    GatedChannel(FileChannel channel, StorageGate gate)
    {
        this.channel = requireNonNull(channel, "channel is null");
        this.gate = requireNonNull(gate, "gate is null");
    }

    @Override
    public int write(ByteBuffer source)
            throws IOException
    {
        return gate.change(() -> channel.write(source));
    }

    @Override
    public void force(boolean metadata)
            throws IOException
    {
        gate.read(() -> {
            channel.force(metadata);
            return null;
        });
    }

    @Override
    public long size()
            throws IOException
    {
        return gate.read(channel::size);
    }

    @Override
    protected void implCloseChannel()
            throws IOException
    {
        channel.close();
    }

    @Override
    public int read(ByteBuffer target)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer target, long position)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source, long position)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public long position()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared)
    {
        throw new UnsupportedOperationException();
    }
}
