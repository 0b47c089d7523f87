package io.albis.benchmarks.format.file;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/**
 * JSON with one object per line.
 */
record JsonFormat()
        implements FileFormat
{
    private static final String FILE = "file.json";

    @Override
    public void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException
    {
        try (JsonGenerator generator = new JsonFactory().createGenerator(folder.resolve(FILE).toFile(), JsonEncoding.UTF8)) {
            generator.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
            while (pages.hasNext()) {
                Page page = pages.next();
                for (int position = 0; position < page.getPositionCount(); position++) {
                    generator.writeStartObject();
                    for (int channel = 0; channel < columns.size(); channel++) {
                        generator.writeFieldName(columns.get(channel).name());
                        writeValue(generator, columns.get(channel).type(), page.getBlock(channel), position);
                    }
                    generator.writeEndObject();
                }
            }
        }
    }

    private static void writeValue(JsonGenerator generator, Type type, Block block, int position)
            throws IOException
    {
        if (block.isNull(position)) {
            generator.writeNull();
        }
        else if (type instanceof DecimalType decimal) {
            generator.writeNumber(BigDecimal.valueOf(type.getLong(block, position), decimal.getScale()));
        }
        else {
            generator.writeNumber(type.getLong(block, position));
        }
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
    {
        return scan -> new JsonPages(folder.resolve(FILE), columns, scan);
    }
}
