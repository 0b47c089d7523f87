package io.albis.filesystem;

import com.google.common.collect.Iterators;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.util.Objects.requireNonNull;

/**
 * The files of this machine, whose accesses pass a gate, one system call after the other. Each system call is one that
 * a process has made or has not when it is killed. It has the operations that Albis and Trino's local file system use.
 */
public final class GatedFiles
        extends FileSystemProvider
{
    private final StorageGate gate;
    private final FileSystem fileSystem = new GatedLocalFiles(this);

    private GatedFiles(StorageGate gate)
    {
        this.gate = requireNonNull(gate, "gate is null");
    }

    /**
     * Returns the path by which the accesses to a file or folder pass a gate, and those to everything in it.
     */
    public static Path gated(Path path, StorageGate gate)
    {
        return new GatedFiles(gate).wrap(path);
    }

    private Path wrap(Path path)
    {
        return (Path) Proxy.newProxyInstance(GatedFiles.class.getClassLoader(), new Class<?>[] {Path.class}, new PathHandler(this, path));
    }

    private static Path unwrap(Path path)
    {
        return (Path) unwrapped(path);
    }

    private static Object unwrapped(Object value)
    {
        return value instanceof Path path && Proxy.isProxyClass(path.getClass()) ? ((PathHandler) Proxy.getInvocationHandler(path)).path() : value;
    }

    /**
     * Passes everything on to another path.
     */
    private record PathHandler(GatedFiles files, Path path)
            implements InvocationHandler
    {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments)
                throws Throwable
        {
            if (method.getName().equals("getFileSystem")) {
                return files.fileSystem;
            }
            try {
                Object[] unwrapped = arguments == null ? null : Arrays.stream(arguments).map(GatedFiles::unwrapped).toArray();
                Object result = method.invoke(path, unwrapped);
                return switch (result) {
                    case Path found -> files.wrap(found);
                    case Iterator<?> names -> Iterators.transform(names, name -> files.wrap((Path) name));
                    case null, default -> result;
                };
            }
            catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    @Override
    public String getScheme()
    {
        return "gated";
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException
    {
        StorageGate.Call<FileChannel> open = () -> FileChannel.open(unwrap(path), options, attributes);
        boolean changes = !Collections.disjoint(options, Set.of(CREATE, CREATE_NEW, TRUNCATE_EXISTING));
        return new GatedChannel(changes ? gate.change(open) : gate.read(open), gate);
    }

    @Override
    public OutputStream newOutputStream(Path path, OpenOption... options)
            throws IOException
    {
        OutputStream output = gate.change(() -> Files.newOutputStream(unwrap(path), options));
        return new OutputStream()
        {
            @Override
            public void write(int value)
                    throws IOException
            {
                gate.changeBy(() -> output.write(value));
            }

            @Override
            public void write(byte[] bytes, int offset, int length)
                    throws IOException
            {
                gate.changeBy(() -> output.write(bytes, offset, length));
            }

            @Override
            public void close()
                    throws IOException
            {
                // Changes nothing, and happens to the files of a process that was killed, too
                output.close();
            }
        };
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException
    {
        DirectoryStream<Path> entries = gate.read(() -> Files.newDirectoryStream(unwrap(folder), entry -> filter.accept(wrap(entry))));
        return new DirectoryStream<>()
        {
            @Override
            public Iterator<Path> iterator()
            {
                return Iterators.transform(entries.iterator(), entry -> wrap(entry));
            }

            @Override
            public void close()
                    throws IOException
            {
                entries.close();
            }
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes)
            throws IOException
    {
        gate.changeBy(() -> Files.createDirectory(unwrap(folder), attributes));
    }

    @Override
    public void createLink(Path link, Path existing)
            throws IOException
    {
        gate.changeBy(() -> Files.createLink(unwrap(link), unwrap(existing)));
    }

    @Override
    public void delete(Path path)
            throws IOException
    {
        gate.changeBy(() -> Files.delete(unwrap(path)));
    }

    @Override
    public void move(Path source, Path target, CopyOption... options)
            throws IOException
    {
        gate.changeBy(() -> Files.move(unwrap(source), unwrap(target), options));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes)
            throws IOException
    {
        gate.read(() -> {
            unwrap(path).getFileSystem().provider().checkAccess(unwrap(path), modes);
            return null;
        });
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException
    {
        return gate.read(() -> Files.readAttributes(unwrap(path), type, options));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
            throws IOException
    {
        return gate.read(() -> Files.readAttributes(unwrap(path), attributes, options));
    }

    @Override
    public boolean isSameFile(Path path, Path other)
            throws IOException
    {
        return gate.read(() -> Files.isSameFile(unwrap(path), unwrap(other)));
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(URI uri)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel newByteChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isHidden(Path path)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileStore getFileStore(Path path)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
    {
        throw new UnsupportedOperationException();
    }
}
