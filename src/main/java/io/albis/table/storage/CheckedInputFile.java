package io.albis.table.storage;

import io.airlift.slice.Slice;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;
import io.trino.spi.metrics.Metrics;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;

import static io.albis.format.io.StorageAccess.isLocal;
import static io.albis.table.storage.CheckedCalls.check;
import static io.albis.table.storage.CheckedCalls.checkAction;
import static java.util.Objects.requireNonNull;

/**
 * An input file of {@link CheckedFileSystem}.
 */
record CheckedInputFile(TrinoInputFile file)
        implements TrinoInputFile
{
    CheckedInputFile
    {
        requireNonNull(file, "file is null");
    }

    @Override
    public TrinoInput newInput()
            throws IOException
    {
        return new CheckedInput(find(file::newInput));
    }

    @Override
    public TrinoInputStream newStream()
            throws IOException
    {
        return new CheckedInputStream(find(file::newStream));
    }

    @Override
    public long length()
            throws IOException
    {
        return find(file::length);
    }

    @Override
    public Instant lastModified()
            throws IOException
    {
        return find(file::lastModified);
    }

    @Override
    public boolean exists()
            throws IOException
    {
        return check(file::exists);
    }

    @Override
    public Location location()
    {
        return file.location();
    }

    @Override
    public String toString()
    {
        return file.toString();
    }

    /**
     * Runs a call that fails if the file does not exist. The JDK reports every local file that cannot be opened as one
     * that does not exist, for example if the process has too many open files. A file that appears during the call is
     * looked for once more.
     */
    private <T> T find(CheckedCalls.Call<T> call)
            throws IOException
    {
        for (int attempt = 1; ; attempt++) {
            try {
                return check(call);
            }
            catch (FileNotFoundException e) {
                if (!isLocal(location()) || !exists()) {
                    throw e;
                }
                if (attempt == 2) {
                    throw new IOException("Cannot open file %s, which exists: %s".formatted(location(), e.getMessage()), e);
                }
            }
        }
    }

    private record CheckedInput(TrinoInput input)
            implements TrinoInput
    {
        @Override
        public void readFully(long position, byte[] buffer, int bufferOffset, int length)
                throws IOException
        {
            checkAction(() -> input.readFully(position, buffer, bufferOffset, length));
        }

        @Override
        public Slice readFully(long position, int length)
                throws IOException
        {
            return check(() -> input.readFully(position, length));
        }

        @Override
        public int readTail(byte[] buffer, int bufferOffset, int maxLength)
                throws IOException
        {
            return check(() -> input.readTail(buffer, bufferOffset, maxLength));
        }

        @Override
        public Slice readTail(int length)
                throws IOException
        {
            return check(() -> input.readTail(length));
        }

        @Override
        public Metrics getMetrics()
        {
            return input.getMetrics();
        }

        @Override
        public void close()
                throws IOException
        {
            checkAction(input::close);
        }

        @Override
        public String toString()
        {
            return input.toString();
        }
    }

    private static final class CheckedInputStream
            extends TrinoInputStream
    {
        private final TrinoInputStream input;

        private CheckedInputStream(TrinoInputStream input)
        {
            this.input = requireNonNull(input, "input is null");
        }

        @Override
        public long getPosition()
                throws IOException
        {
            return check(input::getPosition);
        }

        @Override
        public void seek(long position)
                throws IOException
        {
            checkAction(() -> input.seek(position));
        }

        @Override
        public int read()
                throws IOException
        {
            return check(input::read);
        }

        @Override
        public int read(byte[] bytes, int offset, int length)
                throws IOException
        {
            return check(() -> input.read(bytes, offset, length));
        }

        @Override
        public long skip(long count)
                throws IOException
        {
            return check(() -> input.skip(count));
        }

        @Override
        public int available()
                throws IOException
        {
            return check(input::available);
        }

        @Override
        public void close()
                throws IOException
        {
            checkAction(input::close);
        }
    }
}
