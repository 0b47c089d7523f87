package io.albis.fuzz;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.SmallRowGroups;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowsFile;
import io.albis.format.metadata.SchemaFile;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.type.LocalTypeResolver;
import io.albis.format.type.TypeResolver;
import io.trino.filesystem.Location;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A folder of row groups that belongs to no table. The input is the body of the schema, which may be empty, and the
 * body of the list of a writer's row groups.
 */
final class FolderTarget
        implements FuzzTarget
{
    private static final Location LOCATION = Location.of("memory:///rows");
    private static final UUID ID = new UUID(1, 2);
    private static final TypeResolver TYPES = new LocalTypeResolver();

    @Override
    public void read(byte[] input)
            throws IOException
    {
        InputParts parts = new InputParts(input);
        byte[] schemaBody = parts.next();
        if (schemaBody.length > 0) {
            RowGroupSchema schema = SchemaFile.decode(LOCATION, FileFrame.frame(FileKind.SCHEMA, ID, Slices.wrappedBuffer(schemaBody)), TYPES);
            assertThat(schema.columns()).isNotEmpty();
            assertThat(SchemaFile.decode(LOCATION, SchemaFile.encode(schema), TYPES)).isEqualTo(schema);
        }
        List<RowGroup> rowGroups = RowsFile.decode(LOCATION, ID, FileFrame.frame(FileKind.ROWS, ID, Slices.wrappedBuffer(parts.rest())));
        List<RowGroup> written = RowsFile.decode(LOCATION, ID, RowsFile.encode(ID, rowGroups));
        assertThat(written).hasSameSizeAs(rowGroups);
        for (int i = 0; i < rowGroups.size(); i++) {
            assertThat(written.get(i).rows()).isEqualTo(rowGroups.get(i).rows()).isPositive();
            assertThat(written.get(i).columnGroups()).isEqualTo(rowGroups.get(i).columnGroups());
            assertThat(rowGroups.get(i).bytes()).isNotNegative();
        }
    }

    @Override
    public Map<String, byte[]> writeSeeds()
            throws IOException
    {
        List<AlbisColumn> all = ImmutableList.<AlbisColumn>builder().addAll(SmallRowGroups.SCALARS).addAll(SmallRowGroups.NESTED_COLUMNS).build();
        AlbisColumnGroup scalars = new AlbisColumnGroup(AlbisLayout.ROW, SmallRowGroups.SCALARS);
        AlbisColumnGroup nested = new AlbisColumnGroup(AlbisLayout.BLOCK, SmallRowGroups.NESTED_COLUMNS);
        RowGroup first = SmallRowGroups.BLOCK.write().rowGroup();
        RowGroup second = SmallRowGroups.NESTED.write().rowGroup();
        return ImmutableMap.of(
                "scalars", seed(new RowGroupSchema(SmallRowGroups.SCALARS, ImmutableList.of(scalars)), ImmutableList.of(first)),
                "groups", seed(new RowGroupSchema(all, ImmutableList.of(nested, scalars)), ImmutableList.of(first, second)),
                "empty", seed(new RowGroupSchema(SmallRowGroups.NESTED_COLUMNS, ImmutableList.of(nested)), ImmutableList.of()));
    }

    private static byte[] seed(RowGroupSchema schema, List<RowGroup> rowGroups)
    {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        InputParts.write(MetadataTarget.body(SchemaFile.encode(schema)), input);
        Slice rows = RowsFile.encode(ID, rowGroups);
        input.writeBytes(MetadataTarget.body(rows));
        return input.toByteArray();
    }
}
