package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.type.LocalTypeResolver;
import io.trino.filesystem.Location;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a newer writer may have written is too new, and not damaged.
 */
class TestSchemaFile
{
    private static final Location LOCATION = Location.of("memory:///schema");
    private static final AlbisColumn COLUMN = AlbisColumn.make(1, "a", BIGINT);
    private static final RowGroupSchema SCHEMA = new RowGroupSchema(ImmutableList.of(COLUMN), ImmutableList.of(new AlbisColumnGroup(AlbisLayout.BLOCK, ImmutableList.of(COLUMN))));

    @Test
    void testRoundTrip()
            throws IOException
    {
        assertThat(SchemaFile.decode(LOCATION, SchemaFile.encode(SCHEMA), new LocalTypeResolver())).isEqualTo(SCHEMA);
    }

    @Test
    void testTooNew()
            throws IOException
    {
        Slice body = FileFrame.unframe(LOCATION, FileKind.SCHEMA, Optional.empty(), SchemaFile.encode(SCHEMA));
        // the features, a letter of the type, and the layout
        int[] offsets = {0, 7, 8 + 4 + 4 + 2 + 1 + 2, body.length() - 9};
        for (int offset : offsets) {
            Slice changed = body.copy();
            changed.setByte(offset, 'x');
            Slice file = FileFrame.frame(FileKind.SCHEMA, UUID.randomUUID(), changed);
            assertThatThrownBy(() -> SchemaFile.decode(LOCATION, file, new LocalTypeResolver()))
                    .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).as("offset %s", offset).isEqualTo(TOO_NEW));
        }
    }
}
