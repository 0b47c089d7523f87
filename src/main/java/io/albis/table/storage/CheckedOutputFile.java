package io.albis.table.storage;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.memory.context.AggregatedMemoryContext;

import java.io.IOException;
import java.io.OutputStream;

import static io.albis.table.storage.CheckedCalls.check;
import static io.albis.table.storage.CheckedCalls.checkAction;
import static java.util.Objects.requireNonNull;

/**
 * An output file of {@link CheckedFileSystem}.
 */
record CheckedOutputFile(TrinoOutputFile file)
        implements TrinoOutputFile
{
    CheckedOutputFile
    {
        requireNonNull(file, "file is null");
    }

    @Override
    public void createOrOverwrite(byte[] data)
            throws IOException
    {
        checkAction(() -> file.createOrOverwrite(data));
    }

    @Override
    public void createExclusive(byte[] data)
            throws IOException
    {
        checkAction(() -> file.createExclusive(data));
    }

    @Override
    public OutputStream create(AggregatedMemoryContext memoryContext)
            throws IOException
    {
        return new CheckedOutputStream(check(() -> file.create(memoryContext)));
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

    private static final class CheckedOutputStream
            extends OutputStream
    {
        private final OutputStream output;

        private CheckedOutputStream(OutputStream output)
        {
            this.output = requireNonNull(output, "output is null");
        }

        @Override
        public void write(int value)
                throws IOException
        {
            checkAction(() -> output.write(value));
        }

        @Override
        public void write(byte[] bytes, int offset, int length)
                throws IOException
        {
            checkAction(() -> output.write(bytes, offset, length));
        }

        @Override
        public void flush()
                throws IOException
        {
            checkAction(output::flush);
        }

        @Override
        public void close()
                throws IOException
        {
            checkAction(output::close);
        }
    }
}
