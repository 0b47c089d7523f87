package io.albis.table.json;

import com.google.common.collect.ImmutableSet;
import io.albis.table.model.SchemaInfo;
import io.albis.table.model.TableVersion;

import java.util.Set;

import static io.albis.table.model.SchemaFeatures.CHANGED_FIELDS;
import static io.albis.table.model.SchemaFeatures.INITIAL_VALUES;
import static io.albis.table.model.SchemaFeatures.WIDENED_COLUMNS;

/**
 * The kinds of JSON files in a warehouse, as the first line of each file states them. Each kind has its own format
 * version, so that one kind can change while readers of the others still work.
 */
public enum JsonKind
{
    WAREHOUSE("warehouse", 2, 2),
    SCHEMA("schema", 2, 2),
    TABLE_NAME("table-name", 2, 2),
    TOMBSTONE("tombstone", 2, 2),
    /**
     * A file next to an entry of a name, which tells a listing that the entry may be that of a view.
     */
    VIEW_MARKER("view-marker", 2, 2),
    VERSION("table-version", 2, 2),
    /**
     * The stub that replaces an expired version, in the file of that version.
     */
    EXPIRED("expired-version", 2, 2),
    HINT("version-hint", 2, 2);

    private final String label;
    private final int minFormatVersion;
    private final int formatVersion;

    /**
     * Defines a kind of files.
     *
     * @param minFormatVersion the oldest format version that this reader accepts
     * @param formatVersion the format version that this writer writes, and the newest that this reader accepts
     */
    JsonKind(String label, int minFormatVersion, int formatVersion)
    {
        this.label = label;
        this.minFormatVersion = minFormatVersion;
        this.formatVersion = formatVersion;
    }

    String label()
    {
        return label;
    }

    int minFormatVersion()
    {
        return minFormatVersion;
    }

    public int formatVersion()
    {
        return formatVersion;
    }

    /**
     * Returns the features that this reader supports in files of this kind.
     */
    Set<String> knownFeatures()
    {
        return switch (this) {
            case VERSION -> ImmutableSet.of(TableVersion.ROW_DELETES, TableVersion.VIEW, TableVersion.MATERIALIZED_VIEW, INITIAL_VALUES, WIDENED_COLUMNS, CHANGED_FIELDS);
            case SCHEMA, TOMBSTONE -> ImmutableSet.of(SchemaInfo.SCHEMA_RENAME);
            case WAREHOUSE, TABLE_NAME, VIEW_MARKER, EXPIRED, HINT -> ImmutableSet.of();
        };
    }
}
