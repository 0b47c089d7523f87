package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.run.SegmentShare;
import io.trino.filesystem.FileEntry;
import io.trino.spi.HostAddress;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.lang.Math.max;
import static java.lang.Math.min;

/**
 * The machines that store the blocks of a data file.
 *
 * @param blocks of the file; empty if they are unknown
 * @param bytes size of the file
 */
record FileHosts(List<Block> blocks, long bytes)
{
    static final FileHosts UNKNOWN = new FileHosts(ImmutableList.of(), 0);

    /**
     * A range of bytes of the file that is stored on the same machines.
     */
    record Block(Set<HostAddress> hosts, long offset, long length)
    {
        Block
        {
            hosts = ImmutableSet.copyOf(hosts);
        }
    }

    FileHosts
    {
        blocks = ImmutableList.copyOf(blocks);
        checkArgument(bytes >= 0, "bytes is negative: %s", bytes);
    }

    /**
     * Converts the blocks that the file system reports.
     *
     * @throws IllegalArgumentException if a host name is invalid
     */
    static FileHosts of(List<FileEntry.Block> blocks, long bytes)
    {
        return new FileHosts(
                blocks.stream()
                        .map(block -> new Block(hosts(block), block.offset(), block.length()))
                        .collect(toImmutableList()),
                bytes);
    }

    // a set, because several storage servers may share a machine
    private static Set<HostAddress> hosts(FileEntry.Block block)
    {
        return block.hosts().stream()
                .map(HostAddress::fromString)
                .collect(toImmutableSet());
    }

    /**
     * Returns the machines that store the most bytes of a part of the file. The offsets of the segments are only in the
     * metadata of the file, which is not read here. They are estimated from segments of equal size.
     *
     * @return empty if the blocks are unknown
     */
    List<HostAddress> of(SegmentShare share)
    {
        long begin = position(share.index(), share.count());
        long end = position(share.index() + 1, share.count());
        Map<HostAddress, Long> bytesOfHosts = new LinkedHashMap<>();
        long most = 1;
        for (Block block : blocks) {
            long overlap = min(block.offset() + block.length(), end) - max(block.offset(), begin);
            if (overlap > 0) {
                for (HostAddress host : block.hosts()) {
                    most = max(most, bytesOfHosts.merge(host, overlap, Long::sum));
                }
            }
        }
        ImmutableList.Builder<HostAddress> hosts = ImmutableList.builder();
        for (Map.Entry<HostAddress, Long> entry : bytesOfHosts.entrySet()) {
            if (entry.getValue() == most) {
                hosts.add(entry.getKey());
            }
        }
        return hosts.build();
    }

    private long position(int index, int count)
    {
        return (long) ((double) bytes / count * index);
    }
}
