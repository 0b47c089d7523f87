package io.albis.table.json;

/**
 * The kinds of JSON files in a warehouse, as the first line of each file states them.
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
