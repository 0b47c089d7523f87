package io.albis.filesystem;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.memory.context.AggregatedMemoryContext;

import java.io.IOException;
import java.io.OutputStream;

import static java.util.Objects.requireNonNull;

/**
 * The base class of files that let tests observe writes.
 */
public abstract class DelegatingOutputFile
        implements TrinoOutputFile
{
    private final TrinoOutputFile delegate;

    protected DelegatingOutputFile(TrinoOutputFile delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    @Override
    public void createOrOverwrite(byte[] data)
            throws IOException
    {
        delegate.createOrOverwrite(data);
    }

    @Override
    public void createExclusive(byte[] data)
            throws IOException
    {
        delegate.createExclusive(data);
    }

    @Override
    public OutputStream create(AggregatedMemoryContext memoryContext)
            throws IOException
    {
        return delegate.create(memoryContext);
    }

    @Override
    public final Location location()
    {
        return delegate.location();
    }
}
