package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Ordering;
import io.airlift.units.DataSize;
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
 *
 * @param stripe maximum size of stripes
 */
record OrcFormat(CompressionKind compression, DataSize stripe)
        implements FileFormat
{
    private static final Location FILE = Location.of("local:///file.orc");

    OrcFormat
    {
        requireNonNull(compression, "compression is null");
        requireNonNull(stripe, "stripe is null");
    }

    OrcFormat(CompressionKind compression)
    {
        this(compression, new OrcWriterOptions().getStripeMaxSize());
    }

    /**
     * Returns this format with another size of stripes.
     */
    OrcFormat withStripe(DataSize stripe)
    {
        return new OrcFormat(compression, stripe);
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
                options(),
                ImmutableMap.of(),
                false,
                OrcWriteValidationMode.BOTH,
                new OrcWriterStats())) {
            while (pages.hasNext()) {
                writer.write(pages.next());
            }
        }
    }

    private OrcWriterOptions options()
    {
        OrcWriterOptions options = new OrcWriterOptions();
        return options
                // The minimum may not exceed the maximum
                .withStripeMinSize(Ordering.natural().min(options.getStripeMinSize(), stripe))
                .withStripeMaxSize(stripe);
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
    {
        return new OrcStoredTable(new LocalFileSystem(folder), FILE, columns);
    }
}
