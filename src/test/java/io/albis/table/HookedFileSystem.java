package io.albis.table;

import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.memory.context.AggregatedMemoryContext;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * A file system that shows each operation to a hook, before and after it.
 */
public final class HookedFileSystem
        implements TrinoFileSystem
{
    private final TrinoFileSystem delegate;
    private final Hook hook;

    public HookedFileSystem(TrinoFileSystem delegate, Hook hook)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.hook = requireNonNull(hook, "hook is null");
    }

    public enum Kind
    {
        READ, LENGTH, EXISTS, CREATE, CREATE_EXCLUSIVE, OVERWRITE, DELETE, RENAME, LIST
    }

    /**
     * @param bytes read or written, or files listed, as far as they are known
     */
    public record Operation(Kind kind, Location location, long bytes) {}

    public interface Hook
    {
        default void before(Operation operation)
                throws IOException
        {}

        default void after(Operation operation)
                throws IOException
        {}
    }

    private interface Action<T>
    {
        T run()
                throws IOException;
    }

    private <T> T hooked(Kind kind, Location location, long bytes, Action<T> action)
            throws IOException
    {
        Operation operation = new Operation(kind, location, bytes);
        hook.before(operation);
        T result = action.run();
        hook.after(operation);
        return result;
    }

    @Override
    public TrinoInputFile newInputFile(Location location)
    {
        return new HookedInputFile(delegate.newInputFile(location));
    }

    @Override
    public TrinoInputFile newInputFile(Location location, long length)
    {
        return new HookedInputFile(delegate.newInputFile(location, length));
    }

    @Override
    public TrinoInputFile newInputFile(Location location, long length, Instant lastModified)
    {
        return new HookedInputFile(delegate.newInputFile(location, length, lastModified));
    }

    @Override
    public TrinoOutputFile newOutputFile(Location location)
    {
        return new HookedOutputFile(delegate.newOutputFile(location));
    }

    @Override
    public void deleteFile(Location location)
            throws IOException
    {
        hooked(Kind.DELETE, location, 0, () -> {
            delegate.deleteFile(location);
            return null;
        });
    }

    @Override
    public void deleteDirectory(Location location)
            throws IOException
    {
        hooked(Kind.DELETE, location, 0, () -> {
            delegate.deleteDirectory(location);
            return null;
        });
    }

    @Override
    public void renameFile(Location source, Location target)
            throws IOException
    {
        hooked(Kind.RENAME, target, 0, () -> {
            delegate.renameFile(source, target);
            return null;
        });
    }

    @Override
    public FileIterator listFiles(Location location)
            throws IOException
    {
        long files = 0;
        FileIterator counted = delegate.listFiles(location);
        while (counted.hasNext()) {
            counted.next();
            files++;
        }
        return hooked(Kind.LIST, location, files, () -> delegate.listFiles(location));
    }

    @Override
    public Optional<Boolean> directoryExists(Location location)
            throws IOException
    {
        return hooked(Kind.EXISTS, location, 0, () -> delegate.directoryExists(location));
    }

    @Override
    public void createDirectory(Location location)
            throws IOException
    {
        delegate.createDirectory(location);
    }

    @Override
    public void renameDirectory(Location source, Location target)
            throws IOException
    {
        delegate.renameDirectory(source, target);
    }

    @Override
    public Set<Location> listDirectories(Location location)
            throws IOException
    {
        return hooked(Kind.LIST, location, 0, () -> delegate.listDirectories(location));
    }

    @Override
    public Optional<Location> createTemporaryDirectory(Location targetPath, String temporaryPrefix, String relativePrefix)
            throws IOException
    {
        return delegate.createTemporaryDirectory(targetPath, temporaryPrefix, relativePrefix);
    }

    private final class HookedInputFile
            implements TrinoInputFile
    {
        private final TrinoInputFile file;

        private HookedInputFile(TrinoInputFile file)
        {
            this.file = requireNonNull(file, "file is null");
        }

        @Override
        public TrinoInput newInput()
                throws IOException
        {
            return hooked(Kind.READ, location(), file.exists() ? file.length() : 0, file::newInput);
        }

        @Override
        public TrinoInputStream newStream()
                throws IOException
        {
            return hooked(Kind.READ, location(), file.exists() ? file.length() : 0, file::newStream);
        }

        @Override
        public long length()
                throws IOException
        {
            return hooked(Kind.LENGTH, location(), 0, file::length);
        }

        @Override
        public Instant lastModified()
                throws IOException
        {
            return file.lastModified();
        }

        @Override
        public boolean exists()
                throws IOException
        {
            return hooked(Kind.EXISTS, location(), 0, file::exists);
        }

        @Override
        public Location location()
        {
            return file.location();
        }
    }

    private final class HookedOutputFile
            implements TrinoOutputFile
    {
        private final TrinoOutputFile file;

        private HookedOutputFile(TrinoOutputFile file)
        {
            this.file = requireNonNull(file, "file is null");
        }

        @Override
        public void createOrOverwrite(byte[] data)
                throws IOException
        {
            hooked(Kind.OVERWRITE, location(), data.length, () -> {
                file.createOrOverwrite(data);
                return null;
            });
        }

        @Override
        public void createExclusive(byte[] data)
                throws IOException
        {
            hooked(Kind.CREATE_EXCLUSIVE, location(), data.length, () -> {
                file.createExclusive(data);
                return null;
            });
        }

        @Override
        public OutputStream create(AggregatedMemoryContext memoryContext)
        {
            return new ByteArrayOutputStream()
            {
                @Override
                public void close()
                        throws IOException
                {
                    hooked(Kind.CREATE, location(), size(), () -> {
                        try (OutputStream output = file.create(memoryContext)) {
                            output.write(toByteArray());
                        }
                        return null;
                    });
                }
            };
        }

        @Override
        public Location location()
        {
            return file.location();
        }
    }
}
