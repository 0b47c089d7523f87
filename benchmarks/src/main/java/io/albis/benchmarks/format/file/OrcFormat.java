package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.format.data.Column;
import io.trino.filesystem.Location;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.orc.OrcWriteValidation.OrcWriteValidationMode;
import io.trino.orc.OrcWriter;
import io.trino.orc.OrcWriterOptions;
import io.trino.orc.OrcWriterStats;
import io.trino.orc.OutputStreamOrcDataSink;
import io.trino.orc.metadata.CompressionKind;
import io.trino.orc.metadata.OrcType;
import io.trino.spi.Page;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * The ORC format as Trino writes it.
 */
record OrcFormat(CompressionKind compression)
        implements FileFormat
{
    private static final Location FILE = Location.of("local:///file.orc");

    OrcFormat
    {
        requireNonNull(compression, "compression is null");
    }

    @Override
    public void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException
    {
        List<String> names = columns.stream()
                .map(Column::name)
                .collect(toImmutableList());
        List<Type> types = columns.stream()
                .map(Column::type)
                .collect(toImmutableList());
        try (OrcWriter writer = new OrcWriter(
                OutputStreamOrcDataSink.create(new LocalFileSystem(folder).newOutputFile(FILE)),
                names,
                types,
                OrcType.createRootOrcType(names, types),
                compression,
                new OrcWriterOptions(),
                ImmutableMap.of(),
                false,
                OrcWriteValidationMode.BOTH,
                new OrcWriterStats())) {
            while (pages.hasNext()) {
                writer.write(pages.next());
            }
        }
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
    {
        return new OrcStoredTable(new LocalFileSystem(folder), FILE, columns);
    }
}
