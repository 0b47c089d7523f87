package io.albis.table.model;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Map;

/**
 * The features that a version of a table needs because of its columns and properties.
 */
public final class SchemaFeatures
{
    /**
     * The feature of a version with columns that have a value in row groups that do not store them. A reader that
     * ignored it would return null instead.
     */
    public static final String INITIAL_VALUES = "initial-values";
    /**
     * The feature of a version with row groups that may store a column with a narrower type than the column has. A
     * reader without it would find them damaged.
     */
    public static final String WIDENED_COLUMNS = "widened-columns";
    /**
     * The feature of a version with row groups that may store a nested column with other fields than the column has, or
     * with fields of narrower types. A reader without it would find them damaged, or return values of other fields.
     */
    public static final String CHANGED_FIELDS = "changed-fields";
    /**
     * The writer feature of a version with default values of columns. A writer that ignored them would drop them.
     */
    public static final String COLUMN_DEFAULTS = "column-defaults";

    /**
     * The writer feature of a version whose rows are partitioned. A writer that ignored it would add row groups with
     * several values, and drop the values of others.
     */
    public static final String PARTITIONS = "partitions";

    private SchemaFeatures() {}

    /**
     * Returns the writer features that a version with some columns and properties needs.
     */
    public static List<String> writerFeatures(List<TableColumn> columns, Map<String, String> properties)
    {
        ImmutableList.Builder<String> features = ImmutableList.builder();
        if (columns.stream().anyMatch(column -> column.defaultValue().isPresent())) {
            features.add(COLUMN_DEFAULTS);
        }
        if (properties.containsKey(PartitionFields.PROPERTY)) {
            features.add(PARTITIONS);
        }
        return features.build();
    }
}
