package io.albis.format;

import io.airlift.slice.Slice;
import io.albis.filesystem.DelegatingInputFile;
import io.albis.filesystem.DelegatingOutputFile;
import io.albis.filesystem.TestingForwardingFileSystem;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.memory.context.AggregatedMemoryContext;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import static java.util.Objects.requireNonNull;

/**
 * A file system in which one step fails, and which counts open streams and inputs. A step is an operation. If the
 * process is killed, each byte that it writes is a step as well, and no later operation has any effect.
 */
public final class FaultyFileSystem
        extends TestingForwardingFileSystem
{
    public enum Fault
    {
        /**
         * One operation fails with an {@link IOException} before it has any effect.
         */
        CHECKED,
        /**
         * One operation fails with a {@link RuntimeException}.
         */
        UNCHECKED,
        /**
         * The process is killed.
         */
        DEATH,
    }

    private final Fault fault;
    private final AtomicInteger open = new AtomicInteger();
    private long stepsLeft;
    private boolean failed;

    /**
     * @param stepsLeft number of steps that succeed before one fails
     */
    public FaultyFileSystem(TrinoFileSystem delegate, Fault fault, long stepsLeft)
    {
        super(delegate);
        this.fault = requireNonNull(fault, "fault is null");
        this.stepsLeft = stepsLeft;
    }

    /**
     * Returns whether the failing step was reached.
     */
    public synchronized boolean hasFailed()
    {
        return failed;
    }

    /**
     * Returns the streams and inputs that are still open.
     */
    public int open()
    {
        return open.get();
    }

    private synchronized boolean isDead()
    {
        return failed && fault == Fault.DEATH;
    }

    private synchronized void step(String name, Location location)
            throws IOException
    {
        if (!isDead()) {
            if (failed || stepsLeft > 0) {
                stepsLeft--;
                return;
            }
            failed = true;
        }
        String message = "injected: %s %s".formatted(name, location);
        if (fault == Fault.UNCHECKED) {
            throw new IllegalStateException(message);
        }
        throw new IOException(message);
    }

    @Override
    protected TrinoInputFile wrap(TrinoInputFile file)
    {
        return new FaultyInputFile(file);
    }

    @Override
    protected TrinoOutputFile wrap(TrinoOutputFile file)
    {
        return new FaultyOutputFile(file);
    }

    @Override
    public void deleteFile(Location location)
            throws IOException
    {
        step("delete", location);
        super.deleteFile(location);
    }

    @Override
    public void deleteDirectory(Location location)
            throws IOException
    {
        step("delete directory", location);
        super.deleteDirectory(location);
    }

    @Override
    public void renameFile(Location source, Location target)
            throws IOException
    {
        step("rename", target);
        super.renameFile(source, target);
    }

    @Override
    public FileIterator listFiles(Location location)
            throws IOException
    {
        step("list", location);
        return super.listFiles(location);
    }

    @Override
    public Optional<Boolean> directoryExists(Location location)
            throws IOException
    {
        step("exists", location);
        return super.directoryExists(location);
    }

    @Override
    public void createDirectory(Location location)
            throws IOException
    {
        step("create directory", location);
        super.createDirectory(location);
    }

    @Override
    public void renameDirectory(Location source, Location target)
            throws IOException
    {
        step("rename directory", target);
        super.renameDirectory(source, target);
    }

    @Override
    public Set<Location> listDirectories(Location location)
            throws IOException
    {
        step("list directories", location);
        return super.listDirectories(location);
    }

    @Override
    public Optional<Location> createTemporaryDirectory(Location targetPath, String temporaryPrefix, String relativePrefix)
    {
        throw new UnsupportedOperationException();
    }

    private final class FaultyInputFile
            extends DelegatingInputFile
    {
        private FaultyInputFile(TrinoInputFile file)
        {
            super(file);
        }

        @Override
        public TrinoInput newInput()
                throws IOException
        {
            step("open", location());
            TrinoInput input = super.newInput();
            open.incrementAndGet();
            return new FaultyInput(location(), input);
        }

        @Override
        public TrinoInputStream newStream()
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public long length()
                throws IOException
        {
            step("length", location());
            return super.length();
        }

        @Override
        public Instant lastModified()
                throws IOException
        {
            step("last modified", location());
            return super.lastModified();
        }

        @Override
        public boolean exists()
                throws IOException
        {
            step("exists", location());
            return super.exists();
        }
    }

    private final class FaultyInput
            implements TrinoInput
    {
        private final Location location;
        private final TrinoInput input;
        private boolean failedRead;
        private boolean closed;

        private FaultyInput(Location location, TrinoInput input)
        {
            this.location = requireNonNull(location, "location is null");
            this.input = requireNonNull(input, "input is null");
        }

        @Override
        public void readFully(long position, byte[] buffer, int bufferOffset, int length)
                throws IOException
        {
            if (failedRead) {
                throw new AssertionError("an input is used again after a read of it has failed: " + location);
            }
            failedRead = true;
            step("read", location);
            input.readFully(position, buffer, bufferOffset, length);
            failedRead = false;
        }

        @Override
        public Slice readFully(long position, int length)
                throws IOException
        {
            step("read", location);
            return input.readFully(position, length);
        }

        @Override
        public int readTail(byte[] buffer, int bufferOffset, int bufferLength)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close()
                throws IOException
        {
            if (!closed) {
                closed = true;
                open.decrementAndGet();
                input.close();
                step("close", location);
            }
        }
    }

    private final class FaultyOutputFile
            extends DelegatingOutputFile
    {
        private FaultyOutputFile(TrinoOutputFile file)
        {
            super(file);
        }

        @Override
        public void createOrOverwrite(byte[] data)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public void createExclusive(byte[] data)
                throws IOException
        {
            step("create exclusively", location());
            super.createExclusive(data);
        }

        @Override
        public OutputStream create(AggregatedMemoryContext memoryContext)
                throws IOException
        {
            step("create", location());
            OutputStream output = super.create(memoryContext);
            open.incrementAndGet();
            return new FaultyOutputStream(location(), output);
        }
    }

    private final class FaultyOutputStream
            extends OutputStream
    {
        private final Location location;
        private final OutputStream output;
        private boolean closed;

        private FaultyOutputStream(Location location, OutputStream output)
        {
            this.location = requireNonNull(location, "location is null");
            this.output = requireNonNull(output, "output is null");
        }

        @Override
        public void write(int value)
                throws IOException
        {
            step("write", location);
            output.write(value);
            output.flush();
        }

        @Override
        public void write(byte[] bytes, int offset, int length)
                throws IOException
        {
            if (fault == Fault.DEATH) {
                for (int i = 0; i < length; i++) {
                    write(bytes[offset + i]);
                }
                return;
            }
            step("write", location);
            output.write(bytes, offset, length);
        }

        @Override
        public void close()
                throws IOException
        {
            if (closed) {
                return;
            }
            closed = true;
            open.decrementAndGet();
            if (isDead()) {
                // The operating system closes the files of a killed process. An object that is not complete never
                // appears.
                if (location.scheme().equals(Optional.of("local"))) {
                    output.close();
                }
                return;
            }
            output.close();
            step("close", location);
        }
    }
}
