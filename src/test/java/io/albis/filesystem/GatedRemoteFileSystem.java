package io.albis.filesystem;

import com.google.common.collect.ImmutableList;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.memory.context.AggregatedMemoryContext;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;

import static java.util.Objects.requireNonNull;

/**
 * A file system whose reads and changes pass a gate, request by request. It never closes the stream of a file unless
 * the gate lets it, because closing is what creates an object, or completes a file.
 */
public final class GatedRemoteFileSystem
        extends GatedFileSystem
{
    private final TrinoFileSystem delegate;
    private final Kind kind;

    public enum Kind
    {
        /**
         * A file appears when its stream is closed. A folder is deleted file by file.
         */
        OBJECT_STORE,
        /**
         * A file appears when it is created, and has its content when its stream is closed. A folder is deleted at
         * once.
         */
        HDFS,
    }

    public GatedRemoteFileSystem(TrinoFileSystem delegate, StorageGate gate, Kind kind)
    {
        super(delegate, gate);
        this.delegate = delegate;
        this.kind = requireNonNull(kind, "kind is null");
    }

    @Override
    protected TrinoOutputFile wrap(TrinoOutputFile file)
    {
        return new DelegatingOutputFile(file)
        {
            @Override
            public void createOrOverwrite(byte[] data)
                    throws IOException
            {
                if (kind == Kind.HDFS) {
                    // Its client creates the file, and then writes it
                    gate().changeBy(() -> super.createOrOverwrite(new byte[0]));
                }
                gate().changeBy(() -> super.createOrOverwrite(data));
            }

            @Override
            public void createExclusive(byte[] data)
                    throws IOException
            {
                gate().changeBy(() -> super.createExclusive(data));
            }

            @Override
            public OutputStream create(AggregatedMemoryContext memoryContext)
                    throws IOException
            {
                OutputStream output = switch (kind) {
                    case OBJECT_STORE -> gate().read(() -> super.create(memoryContext));
                    case HDFS -> gate().change(() -> super.create(memoryContext));
                };
                return new GatedOutputStream(output, gate());
            }
        };
    }

    @Override
    public void deleteFile(Location location)
            throws IOException
    {
        gate().changeBy(() -> super.deleteFile(location));
    }

    @Override
    public void deleteFiles(Collection<Location> locations)
            throws IOException
    {
        for (Location location : locations) {
            // HDFS ignores a missing file here, unlike in the deletion of one file
            gate().changeBy(() -> delegate.deleteFiles(ImmutableList.of(location)));
        }
    }

    @Override
    public void deleteDirectory(Location location)
            throws IOException
    {
        if (kind == Kind.OBJECT_STORE) {
            FileIterator files = listFiles(location);
            while (files.hasNext()) {
                deleteFile(files.next().location());
            }
            return;
        }
        gate().changeBy(() -> super.deleteDirectory(location));
    }

    @Override
    public void renameFile(Location source, Location target)
            throws IOException
    {
        gate().changeBy(() -> super.renameFile(source, target));
    }

    @Override
    public void createDirectory(Location location)
            throws IOException
    {
        gate().changeBy(() -> super.createDirectory(location));
    }

    @Override
    public void renameDirectory(Location source, Location target)
            throws IOException
    {
        gate().changeBy(() -> super.renameDirectory(source, target));
    }

    private static final class GatedOutputStream
            extends OutputStream
    {
        private final OutputStream output;
        private final StorageGate gate;
        private boolean closed;

        private GatedOutputStream(OutputStream output, StorageGate gate)
        {
            this.output = requireNonNull(output, "output is null");
            this.gate = requireNonNull(gate, "gate is null");
        }

        @Override
        public void write(int value)
                throws IOException
        {
            write(new byte[] {(byte) value}, 0, 1);
        }

        /**
         * Writes to the memory of the client.
         */
        @Override
        public void write(byte[] bytes, int offset, int length)
                throws IOException
        {
            gate.read(() -> {
                output.write(bytes, offset, length);
                return null;
            });
        }

        @Override
        public void flush()
                throws IOException
        {
            gate.changeBy(output::flush);
        }

        @Override
        public void close()
                throws IOException
        {
            if (!closed) {
                closed = true;
                gate.changeBy(output::close);
            }
        }
    }
}
