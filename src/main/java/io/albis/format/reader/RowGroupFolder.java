package io.albis.format.reader;

import com.google.common.collect.ImmutableList;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.ColumnGroupMetadata.StoredColumn;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.AlbisDataException.damaged;
import static java.lang.Math.toIntExact;

/**
 * Finds row groups by the names of their folders, as the paper does (section 3.3), for a folder that belongs to no table.
 */
public final class RowGroupFolder
{
    private static final Pattern METADATA_FILE = Pattern.compile("rg-(?<rowGroup>[0-9a-f-]{36})/cg-(?<columnGroup>[0-9a-f-]{36})/" + ColumnGroupInstance.METADATA_FILE);

    private RowGroupFolder() {}

    /**
     * The row groups whose writer has finished. One whose first column group has no metadata yet is being written, or
     * was left behind by a writer that died.
     */
    public static List<RowGroup> find(TrinoFileSystem fileSystem, Location folder, AlbisSchema schema)
            throws IOException
    {
        Map<UUID, List<FileEntry>> files = new TreeMap<>();
        Map<Location, UUID> columnGroupIds = new TreeMap<>((left, right) -> left.toString().compareTo(right.toString()));
        FileIterator iterator = fileSystem.listFiles(folder);
        while (iterator.hasNext()) {
            FileEntry entry = iterator.next();
            Matcher matcher = METADATA_FILE.matcher(entry.location().toString());
            if (matcher.find() && matcher.end() == entry.location().toString().length()) {
                files.computeIfAbsent(UUID.fromString(matcher.group("rowGroup")), _ -> new ArrayList<>()).add(entry);
                columnGroupIds.put(entry.location(), UUID.fromString(matcher.group("columnGroup")));
            }
        }
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        for (Map.Entry<UUID, List<FileEntry>> rowGroup : files.entrySet()) {
            List<ColumnGroupInstance> instances = new ArrayList<>();
            long rows = 0;
            for (FileEntry file : rowGroup.getValue()) {
                ColumnGroupMetadata metadata = read(fileSystem, file, columnGroupIds.get(file.location()));
                instances.add(new ColumnGroupInstance(
                        columnGroupIds.get(file.location()),
                        metadata.columns().stream()
                                .map(StoredColumn::id)
                                .collect(toImmutableList()),
                        metadata.dataBytes(),
                        toIntExact(file.length())));
                rows = metadata.rows();
            }
            int marker = schema.columnGroups().getFirst().columns().getFirst().id();
            if (instances.stream().anyMatch(instance -> instance.columnIds().contains(marker))) {
                if (instances.size() != schema.columnGroups().size()) {
                    throw damaged("Damaged Albis folder %s: row group %s has %s of %s column groups", folder, rowGroup.getKey(), instances.size(), schema.columnGroups().size());
                }
                rowGroups.add(new RowGroup(rowGroup.getKey(), rows, instances, ImmutableList.of()));
            }
        }
        return rowGroups.build();
    }

    private static ColumnGroupMetadata read(TrinoFileSystem fileSystem, FileEntry file, UUID columnGroupId)
            throws IOException
    {
        if (file.length() > Integer.MAX_VALUE - 8) {
            throw damaged("Damaged Albis file %s: it has %s bytes", file.location(), file.length());
        }
        try (TrinoInput input = fileSystem.newInputFile(file.location(), file.length()).newInput()) {
            return MetadataCodec.decode(file.location(), Optional.of(columnGroupId), input.readFully(0, (int) file.length()));
        }
    }
}
