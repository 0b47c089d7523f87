package io.albis.format.write;

import io.albis.filesystem.FileBytes;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.type.JavaValues;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.DocumentedDump.documented;
import static io.albis.format.DocumentedDump.dump;
import static io.albis.format.DocumentedDump.parse;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the example of a nested column in docs/format.md: the writer produces its hex dumps, and the reader reads them
 * back.
 */
final class TestNestedFormatExample
{
    private static final Location FOLDER = Location.of("memory:///example");
    private static final UUID ROW_GROUP_ID = UUID.fromString("00000000-0000-0000-0000-0000000000aa");
    private static final UUID COLUMN_GROUP_ID = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
    private static final Type TYPE = new ArrayType(RowType.rowType(RowType.field("n", INTEGER), RowType.field("s", VARCHAR)));
    private static final AlbisColumn COLUMN = AlbisColumn.make(1, "a", TYPE);
    private static final List<Object> ROWS = Arrays.asList(
            Arrays.asList(List.of(1L, "ab"), null, Arrays.asList(null, "c")),
            null,
            List.of());

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    @Test
    void testWrite()
            throws IOException
    {
        RowGroup rowGroup = write();
        String data = dump(FileBytes.read(fileSystem, rowGroup.dataFile(FOLDER, getOnlyElement(rowGroup.columnGroups()))));
        String metadata = dump(FileBytes.read(fileSystem, rowGroup.metadataFile(FOLDER, getOnlyElement(rowGroup.columnGroups()))));
        assertThat(List.of(data, metadata)).isEqualTo(List.of(documented("nested data"), documented("nested metadata")));
    }

    @Test
    void testRead()
            throws IOException
    {
        RowGroup rowGroup = write();
        FileBytes.overwrite(fileSystem, rowGroup.dataFile(FOLDER, getOnlyElement(rowGroup.columnGroups())), parse(documented("nested data")));
        FileBytes.overwrite(fileSystem, rowGroup.metadataFile(FOLDER, getOnlyElement(rowGroup.columnGroups())), parse(documented("nested metadata")));
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(List.of(COLUMN), TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            AlbisBatch batch = reader.next();
            List<Object> rows = new ArrayList<>();
            for (int row = 0; row < batch.positionCount(); row++) {
                rows.add(JavaValues.fromNative(TYPE, readNativeValue(TYPE, batch.block(0), row)));
            }
            assertThat(rows).isEqualTo(ROWS);
            assertThat(reader.next()).isNull();
        }
    }

    private RowGroup write()
            throws IOException
    {
        BlockBuilder builder = TYPE.createBlockBuilder(null, ROWS.size());
        for (Object row : ROWS) {
            writeNativeValue(TYPE, builder, JavaValues.toNative(TYPE, row));
        }
        Iterator<UUID> ids = List.of(ROW_GROUP_ID, COLUMN_GROUP_ID).iterator();
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, AlbisSchema.makeSchema(AlbisColumnGroup.make(COLUMN)).rowGroupSchema(), WriterOptions.DEFAULTS, ids::next);
        writer.append(new Page(builder.build()));
        return getOnlyElement(writer.finish());
    }
}
