package io.albis.table;

/**
 * The JSON files of a warehouse, told apart by their first line.
 */
enum JsonKind
{
    SCHEMA("schema"),
    POINTER("table-pointer"),
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
