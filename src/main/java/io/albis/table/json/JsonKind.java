package io.albis.table.json;

/**
 * The JSON files of a warehouse, told apart by their first line.
 */
public enum JsonKind
{
    WAREHOUSE("warehouse"),
    SCHEMA("schema"),
    TABLE_NAME("table-name"),
    TOMBSTONE("tombstone"),
    VERSION("table-version"),
    HINT("version-hint");

    private final String label;

    JsonKind(String label)
    {
        this.label = label;
    }

    String label()
    {
        return label;
    }
}
