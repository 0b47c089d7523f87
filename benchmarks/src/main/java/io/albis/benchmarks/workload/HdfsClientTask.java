package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/**
 * Reads all files of a table with the HDFS client without decoding them. The time is a lower bound for the reader of
 * any format.
 */
public final class HdfsClientTask
        implements Task
{
    // A thread reads one piece at a time, in several requests
    private static final long PIECE = 32 << 20;
    private static final int REQUEST = 8 << 20;
    private static final ThreadLocal<byte[]> BUFFERS = ThreadLocal.withInitial(() -> new byte[REQUEST]);

    private final String name;
    private final Map<String, BenchmarkCatalog> catalogs;
    private final String schema;
    private final String table;
    private final int threads;

    public HdfsClientTask(String name, List<BenchmarkCatalog> catalogs, String schema, String table, int threads)
    {
        this.name = requireNonNull(name, "name is null");
        this.catalogs = catalogs.stream().collect(toImmutableMap(BenchmarkCatalog::catalogName, catalog -> catalog));
        this.schema = requireNonNull(schema, "schema is null");
        this.table = requireNonNull(table, "table is null");
        checkArgument(threads > 0, "threads is not positive");
        this.threads = threads;
    }

    private record Piece(Path file, long offset, long length) {}

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public Figures run(String catalog)
    {
        Path folder = new Path(catalogs.get(catalog).remoteFolder(), schema);
        try (FileSystem fileSystem = FileSystem.newInstance(folder.toUri(), new Configuration())) {
            List<Piece> pieces = pieces(fileSystem, folder);
            long start = System.nanoTime();
            Parallel.forEach(pieces, threads, piece -> read(fileSystem, piece));
            long elapsed = System.nanoTime() - start;
            return new Figures(ImmutableMap.of(
                    Figure.RESULT_ROWS, 1L,
                    Figure.ELAPSED, elapsed,
                    Figure.BYTES_READ, pieces.stream().mapToLong(Piece::length).sum()));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Piece> pieces(FileSystem fileSystem, Path folder)
            throws IOException
    {
        ImmutableList.Builder<Piece> pieces = ImmutableList.builder();
        int schemaLength = folder.toUri().getPath().length() + 1;
        RemoteIterator<LocatedFileStatus> files = fileSystem.listFiles(folder, true);
        while (files.hasNext()) {
            LocatedFileStatus file = files.next();
            String path = file.getPath().toUri().getPath().substring(schemaLength);
            if (!TableFolders.isOf(path.split("/")[0], table)) {
                continue;
            }
            for (long offset = 0; offset < file.getLen(); offset += PIECE) {
                pieces.add(new Piece(file.getPath(), offset, Math.min(PIECE, file.getLen() - offset)));
            }
        }
        return pieces.build();
    }

    private static void read(FileSystem fileSystem, Piece piece)
            throws IOException
    {
        byte[] buffer = BUFFERS.get();
        try (FSDataInputStream input = fileSystem.open(piece.file())) {
            long end = piece.offset() + piece.length();
            for (long position = piece.offset(); position < end; position += buffer.length) {
                input.readFully(position, buffer, 0, toIntExact(Math.min(buffer.length, end - position)));
            }
        }
    }
}
