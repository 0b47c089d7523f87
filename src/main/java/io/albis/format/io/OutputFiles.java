package io.albis.format.io;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.memory.context.AggregatedMemoryContext;

import java.io.IOException;
import java.io.OutputStream;

import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static java.util.Objects.requireNonNull;

/**
 * Creates output files whose errors name the file. Not every file system does that. For example, HDFS writes in the
 * background, and its errors only name the machines that failed.
 */
public final class OutputFiles
{
    private OutputFiles() {}

    public static OutputStream create(TrinoFileSystem fileSystem, Location location)
            throws IOException
    {
        return create(fileSystem, location, newSimpleAggregatedMemoryContext());
    }

    /**
     * Creates an output file.
     *
     * @param memoryContext accounts for the buffers of the file
     */
    public static OutputStream create(TrinoFileSystem fileSystem, Location location, AggregatedMemoryContext memoryContext)
            throws IOException
    {
        return new NamedOutputStream(fileSystem.newOutputFile(location).create(memoryContext), location);
    }

    private static final class NamedOutputStream
            extends OutputStream
    {
        private final OutputStream output;
        private final Location location;

        private NamedOutputStream(OutputStream output, Location location)
        {
            this.output = requireNonNull(output, "output is null");
            this.location = requireNonNull(location, "location is null");
        }

        @Override
        public void write(int value)
                throws IOException
        {
            try {
                output.write(value);
            }
            catch (IOException e) {
                throw named(e);
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length)
                throws IOException
        {
            try {
                output.write(bytes, offset, length);
            }
            catch (IOException e) {
                throw named(e);
            }
        }

        @Override
        public void flush()
                throws IOException
        {
            try {
                output.flush();
            }
            catch (IOException e) {
                throw named(e);
            }
        }

        @Override
        public void close()
                throws IOException
        {
            try {
                output.close();
            }
            catch (IOException e) {
                throw named(e);
            }
        }

        private IOException named(IOException failure)
        {
            return new IOException("Failed to write file %s: %s".formatted(location, failure.getMessage()), failure);
        }
    }
}
