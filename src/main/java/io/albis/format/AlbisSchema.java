package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.type.ScalarTypes;
import io.albis.format.type.TypeResolver;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The columns of a table and how they are grouped into files (Albis paper, Table 4).
 *
 * @param columns in the order of the table; names and ids are unique
 * @param columnGroups each column is in exactly one
 */
public record AlbisSchema(List<AlbisColumn> columns, List<AlbisColumnGroup> columnGroups)
{
    // holds no state but its root
    private static final TrinoFileSystem LOCAL = new LocalFileSystem(Path.of("/"));

    public AlbisSchema
    {
        RowGroupSchema schema = new RowGroupSchema(columns, columnGroups);
        columns = schema.columns();
        columnGroups = schema.columnGroups();
    }

    private AlbisSchema(RowGroupSchema schema)
    {
        this(schema.columns(), schema.columnGroups());
    }

    /**
     * Returns the part of this schema that the writer of row groups needs.
     */
    public RowGroupSchema rowGroupSchema()
    {
        return new RowGroupSchema(columns, columnGroups);
    }

    /**
     * A schema whose columns stand in the order of the groups. Columns without an id get one, from 1 on, if none has one.
     */
    public static AlbisSchema makeSchema(AlbisColumnGroup... columnGroups)
    {
        return makeSchema(ImmutableList.copyOf(columnGroups));
    }

    public static AlbisSchema makeSchema(List<AlbisColumnGroup> columnGroups)
    {
        ImmutableList.Builder<AlbisColumn> columns = ImmutableList.builder();
        ImmutableList.Builder<AlbisColumnGroup> groups = ImmutableList.builder();
        boolean assign = columnGroups.stream()
                .flatMap(group -> group.columns().stream())
                .allMatch(column -> column.id() == AlbisColumn.UNASSIGNED);
        int nextId = 1;
        for (AlbisColumnGroup columnGroup : columnGroups) {
            ImmutableList.Builder<AlbisColumn> group = ImmutableList.builder();
            for (AlbisColumn column : columnGroup.columns()) {
                group.add(assign ? new AlbisColumn(nextId++, column.name(), column.type()) : column);
            }
            List<AlbisColumn> groupColumns = group.build();
            columns.addAll(groupColumns);
            groups.add(new AlbisColumnGroup(columnGroup.layout(), groupColumns));
        }
        return new AlbisSchema(columns.build(), groups.build());
    }

    /**
     * A schema whose columns stand in an order of their own.
     */
    public static AlbisSchema makeSchema(List<AlbisColumn> columns, List<AlbisColumnGroup> columnGroups)
    {
        return new AlbisSchema(columns, columnGroups);
    }

    /**
     * @throws IllegalArgumentException if there is no such column
     */
    public AlbisColumn column(String name)
    {
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no column %s".formatted(name)));
    }

    /**
     * The schema of the rows in a local folder.
     *
     * @throws AlbisDataException if its file is damaged
     */
    public static AlbisSchema read(Path folder)
            throws IOException
    {
        return read(LOCAL, location(folder), new ScalarTypes());
    }

    public static AlbisSchema read(TrinoFileSystem fileSystem, Location folder, TypeResolver types)
            throws IOException
    {
        return new AlbisSchema(new AlbisFolder(fileSystem, folder).schema(types));
    }

    /**
     * A writer that adds rows to a local folder, which is made if it is not there.
     *
     * @throws IllegalArgumentException if the folder has rows of another schema
     */
    public AlbisWriter getWriter(Path folder)
            throws IOException
    {
        return getWriter(LOCAL, location(folder), WriterOptions.DEFAULTS);
    }

    public AlbisWriter getWriter(TrinoFileSystem fileSystem, Location folder, WriterOptions options)
            throws IOException
    {
        return AlbisWriter.open(fileSystem, folder, this, options);
    }

    /**
     * A reader of the rows in a local folder for which the filter is true.
     *
     * @param projection columns of the result, in its order
     */
    public AlbisReader getReader(Path folder, AlbisFilter filter, AlbisColumn... projection)
            throws IOException
    {
        return getReader(LOCAL, location(folder), filter, ImmutableList.copyOf(projection));
    }

    public AlbisReader getReader(TrinoFileSystem fileSystem, Location folder, AlbisFilter filter, List<AlbisColumn> projection)
            throws IOException
    {
        return AlbisReader.open(fileSystem, folder, filter, projection);
    }

    private static Location location(Path folder)
    {
        return Location.of("local://" + folder.toAbsolutePath().normalize());
    }
}
