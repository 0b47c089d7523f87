package io.albis.benchmarks.format.file;

import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

import static java.util.Objects.requireNonNull;

/**
 * A local file for parquet-java, read directly into the arrays of its buffers. Its own LocalInputFile copies every
 * buffer once more.
 */
record ParquetJavaFile(Path path)
        implements InputFile
{
    ParquetJavaFile
    {
        requireNonNull(path, "path is null");
    }

    @Override
    public long getLength()
            throws IOException
    {
        return Files.size(path);
    }

    @Override
    public SeekableInputStream newStream()
            throws IOException
    {
        FileChannel channel = FileChannel.open(path);
        return new DelegatingSeekableInputStream(Channels.newInputStream(channel))
        {
            @Override
            public long getPos()
                    throws IOException
            {
                return channel.position();
            }

            @Override
            public void seek(long position)
                    throws IOException
            {
                channel.position(position);
            }
        };
    }
}
