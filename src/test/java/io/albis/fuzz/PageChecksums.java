package io.albis.fuzz;

import io.albis.format.io.AlbisDataException;
import io.albis.format.io.PageChecksum;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.Run;
import io.albis.format.run.StoredBytes;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Changes the checksums of pages, which are in the metadata, to those of the bytes in a data file. Without that, a
 * reader refuses nearly every data file that a fuzzer has changed.
 */
final class PageChecksums
{
    private final byte[] data;
    private final PageChecksum checksum;
    // new checksums by those in the metadata
    private final Map<Integer, Integer> changes = new HashMap<>();

    private PageChecksums(UUID id, byte[] data)
    {
        this.data = data;
        this.checksum = new PageChecksum(id);
    }

    /**
     * Returns the body of a metadata file with other checksums, or as it is if it is not valid.
     */
    static byte[] repair(UUID id, byte[] metadata, byte[] data)
    {
        PageChecksums checksums = new PageChecksums(id, data);
        try {
            checksums.collect(MetadataTarget.decode(id, metadata));
        }
        catch (AlbisDataException e) {
            // the reader finds out, too
            return metadata;
        }
        return checksums.replaceIn(metadata);
    }

    private void collect(ColumnGroupMetadata metadata)
            throws AlbisDataException
    {
        for (int node = 0; node < MetadataTarget.nodes(metadata); node++) {
            for (int segment = 0; segment < metadata.segments(); segment++) {
                for (Chunk chunk : metadata.node(node, segment).chunks()) {
                    collect(chunk);
                }
            }
        }
    }

    private void collect(Chunk chunk)
    {
        long offset = chunk.offset();
        if (chunk.encoding() instanceof ChunkEncoding.Dictionary dictionary) {
            offset = collect(dictionary.stored(), offset);
        }
        for (Run run : chunk.runs()) {
            offset = collect(run.stored(), offset);
        }
    }

    /**
     * @return the offset of the bytes that follow
     */
    private long collect(StoredBytes stored, long offset)
    {
        int length = stored.paddedLength();
        for (int page = 0; page < stored.checksums().length; page++) {
            long begin = offset + (long) page * PageChecksum.PAGE_SIZE;
            int pageLength = PageChecksum.pageLength(length, page);
            if (begin + pageLength <= data.length) {
                changes.put(stored.checksums()[page], checksum.of(begin, data, (int) begin, pageLength));
            }
        }
        return offset + length;
    }

    private byte[] replaceIn(byte[] metadata)
    {
        ByteBuffer repaired = ByteBuffer.wrap(metadata.clone()).order(LITTLE_ENDIAN);
        ByteBuffer original = ByteBuffer.wrap(metadata).order(LITTLE_ENDIAN);
        for (int position = 0; position <= metadata.length - Integer.BYTES; position++) {
            Integer changed = changes.get(original.getInt(position));
            if (changed != null) {
                repaired.putInt(position, changed);
            }
        }
        return repaired.array();
    }
}
