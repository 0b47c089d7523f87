package io.albis.filesystem;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * The file system of the paths of {@link GatedFiles}, which leads to their provider.
 */
final class GatedLocalFiles
        extends FileSystem
{
    private final FileSystemProvider provider;

    GatedLocalFiles(FileSystemProvider provider)
    {
        this.provider = requireNonNull(provider, "provider is null");
    }

    @Override
    public FileSystemProvider provider()
    {
        return provider;
    }

    @Override
    public boolean isOpen()
    {
        return true;
    }

    @Override
    public boolean isReadOnly()
    {
        return false;
    }

    @Override
    public String getSeparator()
    {
        return FileSystems.getDefault().getSeparator();
    }

    @Override
    public Set<String> supportedFileAttributeViews()
    {
        return FileSystems.getDefault().supportedFileAttributeViews();
    }

    @Override
    public void close()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public Iterable<Path> getRootDirectories()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public Iterable<FileStore> getFileStores()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(String first, String... more)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public PathMatcher getPathMatcher(String pattern)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public WatchService newWatchService()
    {
        throw new UnsupportedOperationException();
    }
}
