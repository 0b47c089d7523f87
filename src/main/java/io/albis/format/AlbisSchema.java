package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.FieldSelection;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.type.LocalTypeResolver;
import io.albis.format.type.TypeResolver;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The columns of a table and how they are grouped into files (Albis paper, Table 4).
 *
 * @param columns columns in the order of the table, with unique names and ids
 * @param columnGroups column groups that contain each column exactly once
 */
public record AlbisSchema(List<AlbisColumn> columns, List<AlbisColumnGroup> columnGroups)
{
    // stateless except for its root
    static final TrinoFileSystem LOCAL = new LocalFileSystem(Path.of("/"));

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
     * Creates a schema whose columns have the order of the column groups. If no column has an id, the columns get ids
     * starting at 1.
     */
    public static AlbisSchema makeSchema(AlbisColumnGroup... columnGroups)
    {
        return makeSchema(ImmutableList.copyOf(columnGroups));
    }

    /**
     * Creates a schema whose columns have the order of the column groups. If no column has an id, the columns get ids
     * starting at 1.
     */
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
     * Creates a schema whose columns have an order that is independent of the column groups.
     */
    public static AlbisSchema makeSchema(List<AlbisColumn> columns, List<AlbisColumnGroup> columnGroups)
    {
        return new AlbisSchema(columns, columnGroups);
    }

    /**
     * Returns the column with the given name.
     *
     * @throws IllegalArgumentException if there is no such column
     */
    public AlbisColumn column(String name)
    {
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Column does not exist: %s".formatted(name)));
    }

    /**
     * Reads the schema of the rows in a local folder.
     *
     * @throws java.io.FileNotFoundException if no writer has used this folder yet
     * @throws io.albis.format.io.AlbisDataException if the schema file is damaged
     */
    public static AlbisSchema read(Path folder)
            throws IOException
    {
        return read(LOCAL, location(folder), new LocalTypeResolver());
    }

    /**
     * Reads the schema of the rows in a folder.
     *
     * @param types resolves the types of the columns
     * @throws java.io.FileNotFoundException if no writer has used this folder yet
     * @throws io.albis.format.io.AlbisDataException if the schema file is damaged
     */
    public static AlbisSchema read(TrinoFileSystem fileSystem, Location folder, TypeResolver types)
            throws IOException
    {
        return new AlbisSchema(new AlbisFolder(fileSystem, folder).schema(types));
    }

    /**
     * Opens a writer that adds rows to a local folder. The folder is created if it does not exist.
     *
     * @throws IllegalArgumentException if the folder already has a different schema
     */
    public AlbisWriter getWriter(Path folder)
            throws IOException
    {
        return getWriter(LOCAL, location(folder), WriterOptions.DEFAULTS);
    }

    /**
     * Opens a writer that adds rows to a folder. The folder is created if it does not exist.
     *
     * @throws IllegalArgumentException if the folder already has a different schema
     */
    public AlbisWriter getWriter(TrinoFileSystem fileSystem, Location folder, WriterOptions options)
            throws IOException
    {
        return AlbisWriter.open(fileSystem, folder, this, options);
    }

    /**
     * Opens a reader of the rows in a local folder that match the filter.
     *
     * @param projection columns of the result, in the order of the result
     */
    public AlbisReader getReader(Path folder, AlbisFilter filter, AlbisColumn... projection)
            throws IOException
    {
        return getReader(LOCAL, location(folder), filter, ImmutableList.copyOf(projection));
    }

    /**
     * Opens a reader of the rows in a folder that match the filter.
     *
     * @param projection columns of the result, in the order of the result
     */
    public AlbisReader getReader(TrinoFileSystem fileSystem, Location folder, AlbisFilter filter, List<AlbisColumn> projection)
            throws IOException
    {
        return getReader(fileSystem, folder, filter, projection, Map.of());
    }

    /**
     * Opens a reader of the rows in a folder that match the filter, and of some parts of nested columns.
     *
     * @param projection columns of the result, in the order of the result
     * @param fields by the id of a nested column, the parts of it to read; the others are null in the result
     */
    public AlbisReader getReader(TrinoFileSystem fileSystem, Location folder, AlbisFilter filter, List<AlbisColumn> projection, Map<Integer, FieldSelection> fields)
            throws IOException
    {
        return AlbisReader.open(fileSystem, folder, filter, projection, fields);
    }

    static Location location(Path folder)
    {
        return Location.of("local://" + folder.toAbsolutePath().normalize());
    }
}
