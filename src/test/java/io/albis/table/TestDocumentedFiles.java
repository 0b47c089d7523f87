package io.albis.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.albis.table.json.JsonMappers;
import io.albis.table.model.CondemnedWrites;
import io.albis.table.model.TableVersion;
import io.albis.table.name.SchemaEntry;
import io.albis.table.name.TableEntry;
import io.albis.table.name.Tombstone;
import io.albis.table.version.ExpiredVersion;
import io.trino.spi.type.TypeId;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The JSON bodies in docs/format.md are the ones that Albis reads and writes.
 */
final class TestDocumentedFiles
{
    private static final Path FORMAT = Path.of("docs/format.md");
    private static final String FIRST_BODY = "```\n{\"number\":1,";

    @Test
    void testBodies()
            throws IOException
    {
        ObjectReader reader = JsonMappers.reader(typeId -> TESTING_TYPE_MANAGER.getType(TypeId.of(typeId)));
        ObjectWriter writer = JsonMappers.writer();
        String page = Files.readString(FORMAT);
        int start = page.indexOf(FIRST_BODY) + "```\n".length();
        List<String> bodies = Splitter.on("\n\n").splitToList(page.substring(start, page.indexOf("\n```", start)));
        List<Class<?>> kinds = ImmutableList.of(SchemaEntry.class, TableEntry.class, Tombstone.class, TableVersion.class, ExpiredVersion.class, TableEntry.class, TableVersion.class, TableVersion.class, SchemaEntry.class, Tombstone.class, CondemnedWrites.class);
        assertThat(bodies).hasSameSizeAs(kinds);
        for (int i = 0; i < kinds.size(); i++) {
            JsonNode documented = reader.readTree(bodies.get(i));
            Object body = reader.treeToValue(documented, kinds.get(i));
            assertThat(reader.readTree(writer.writeValueAsBytes(body))).isEqualTo(documented);
        }
    }
}
