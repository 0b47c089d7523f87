package io.albis.benchmarks.workload;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ListMultimap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Measures how many bytes of the row groups are on the DataNode that their splits are scheduled on.
 *
 * @param nodes number of DataNodes that store data of at least one row group
 * @param local number of bytes on the first DataNode of the largest file of their row group
 */
public record RowGroupNodes(int rowGroups, int nodes, long bytes, long local)
{
    private static final String ROW_GROUP = "rg-";

    /**
     * Queries the NameNode.
     *
     * @param folder directory of the schema
     */
    public static RowGroupNodes of(String folder, String table)
    {
        Path path = new Path(folder);
        try (FileSystem fileSystem = FileSystem.newInstance(path.toUri(), new Configuration())) {
            ListMultimap<String, LocatedFileStatus> rowGroups = ArrayListMultimap.create();
            RemoteIterator<LocatedFileStatus> files = fileSystem.listFiles(path, true);
            while (files.hasNext()) {
                LocatedFileStatus file = files.next();
                String[] names = file.getPath().toUri().getPath().substring(path.toUri().getPath().length() + 1).split("/");
                if (names.length > 3 && TableFolders.isOf(names[0], table) && names[2].startsWith(ROW_GROUP)) {
                    rowGroups.put(names[0] + "/" + names[2], file);
                }
            }
            return count(rowGroups.asMap().values());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RowGroupNodes count(Collection<Collection<LocatedFileStatus>> rowGroups)
            throws IOException
    {
        ImmutableSet.Builder<String> nodes = ImmutableSet.builder();
        long bytes = 0;
        long local = 0;
        for (Collection<LocatedFileStatus> files : rowGroups) {
            LocatedFileStatus largest = files.stream().max(Comparator.comparingLong(LocatedFileStatus::getLen)).orElseThrow();
            String node = largest.getBlockLocations()[0].getNames()[0];
            for (LocatedFileStatus file : files) {
                for (BlockLocation block : file.getBlockLocations()) {
                    List<String> names = List.of(block.getNames());
                    nodes.addAll(names);
                    bytes += block.getLength();
                    local += names.contains(node) ? block.getLength() : 0;
                }
            }
        }
        Set<String> all = nodes.build();
        return new RowGroupNodes(rowGroups.size(), all.size(), bytes, local);
    }
}
