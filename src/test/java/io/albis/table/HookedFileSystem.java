package io.albis.table;

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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import static java.util.Objects.requireNonNull;

/**
 * A file system that passes each operation to a hook, before and after it runs.
 */
public final class HookedFileSystem
        extends TestingForwardingFileSystem
{
    private final Hook hook;
    private final boolean createsAtClose;

    /**
     * Creates a file system in which a file appears when it is closed, as in an object store.
     */
    public HookedFileSystem(TrinoFileSystem delegate, Hook hook)
    {
        this(delegate, hook, true);
    }

    /**
     * @param createsAtClose whether a file appears when it is closed. If not, it appears when it is created, as on a
     *         local file system
     */
    public HookedFileSystem(TrinoFileSystem delegate, Hook hook, boolean createsAtClose)
    {
        super(delegate);
        this.hook = requireNonNull(hook, "hook is null");
        this.createsAtClose = createsAtClose;
    }

    public enum Kind
    {
        READ, LENGTH, EXISTS, CREATE, CREATE_EXCLUSIVE, OVERWRITE, DELETE, RENAME, LIST
    }

    /**
     * @param bytes bytes read or written, or the number of files listed, as far as known
     */
    public record Operation(Kind kind, Location location, long bytes)
    {
        private boolean isAt(Kind kind, String path)
        {
            return this.kind == kind && location.toString().contains(path);
        }
    }

    public interface Hook
    {
        default void before(Operation operation)
                throws IOException
        {}

        default void after(Operation operation)
                throws IOException
        {}

        /**
         * Returns a hook that fails each operation of a kind at a location that contains {@code path}.
         */
        static Hook failAt(Kind kind, String path)
        {
            return new Hook()
            {
                @Override
                public void before(Operation operation)
                        throws IOException
                {
                    if (operation.isAt(kind, path)) {
                        throw new IOException("The client dies");
                    }
                }
            };
        }

        /**
         * Returns a hook that stalls once, before the first operation of a kind at a location that contains
         * {@code path}, while others act.
         */
        static Hook stallAt(Kind kind, String path, Runnable others)
        {
            return stallAt(kind, path, 1, others);
        }

        /**
         * Returns a hook that stalls once, before the operation with a number, counted from 1, of those of a kind at a
         * location that contains {@code path}, while others act.
         */
        static Hook stallAt(Kind kind, String path, int number, Runnable others)
        {
            AtomicInteger operations = new AtomicInteger();
            return new Hook()
            {
                @Override
                public void before(Operation operation)
                {
                    if (operation.isAt(kind, path) && operations.incrementAndGet() == number) {
                        others.run();
                    }
                }
            };
        }
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

    private interface VoidAction
    {
        void run()
                throws IOException;
    }

    private void hookedVoid(Kind kind, Location location, long bytes, VoidAction action)
            throws IOException
    {
        hooked(kind, location, bytes, () -> {
            action.run();
            return null;
        });
    }

    @Override
    protected TrinoInputFile wrap(TrinoInputFile file)
    {
        return new DelegatingInputFile(file)
        {
            @Override
            public TrinoInput newInput()
                    throws IOException
            {
                return hooked(Kind.READ, location(), super.exists() ? super.length() : 0, super::newInput);
            }

            @Override
            public TrinoInputStream newStream()
                    throws IOException
            {
                return hooked(Kind.READ, location(), super.exists() ? super.length() : 0, super::newStream);
            }

            @Override
            public long length()
                    throws IOException
            {
                return hooked(Kind.LENGTH, location(), 0, super::length);
            }

            @Override
            public boolean exists()
                    throws IOException
            {
                return hooked(Kind.EXISTS, location(), 0, super::exists);
            }
        };
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
                hookedVoid(Kind.OVERWRITE, location(), data.length, () -> super.createOrOverwrite(data));
            }

            @Override
            public void createExclusive(byte[] data)
                    throws IOException
            {
                hookedVoid(Kind.CREATE_EXCLUSIVE, location(), data.length, () -> super.createExclusive(data));
            }

            @Override
            public OutputStream create(AggregatedMemoryContext memoryContext)
                    throws IOException
            {
                if (!createsAtClose) {
                    return hooked(Kind.CREATE, location(), 0, () -> super.create(memoryContext));
                }
                return new ByteArrayOutputStream()
                {
                    @Override
                    public void close()
                            throws IOException
                    {
                        hookedVoid(Kind.CREATE, location(), size(), () -> {
                            try (OutputStream output = file.create(memoryContext)) {
                                output.write(toByteArray());
                            }
                        });
                    }
                };
            }
        };
    }

    @Override
    public void deleteFile(Location location)
            throws IOException
    {
        hookedVoid(Kind.DELETE, location, 0, () -> super.deleteFile(location));
    }

    @Override
    public void deleteDirectory(Location location)
            throws IOException
    {
        hookedVoid(Kind.DELETE, location, 0, () -> super.deleteDirectory(location));
    }

    @Override
    public void renameFile(Location source, Location target)
            throws IOException
    {
        hookedVoid(Kind.RENAME, target, 0, () -> super.renameFile(source, target));
    }

    @Override
    public FileIterator listFiles(Location location)
            throws IOException
    {
        long files = 0;
        FileIterator counted = super.listFiles(location);
        while (counted.hasNext()) {
            counted.next();
            files++;
        }
        return hooked(Kind.LIST, location, files, () -> super.listFiles(location));
    }

    @Override
    public Optional<Boolean> directoryExists(Location location)
            throws IOException
    {
        return hooked(Kind.EXISTS, location, 0, () -> super.directoryExists(location));
    }

    @Override
    public Set<Location> listDirectories(Location location)
            throws IOException
    {
        return hooked(Kind.LIST, location, 0, () -> super.listDirectories(location));
    }
}
