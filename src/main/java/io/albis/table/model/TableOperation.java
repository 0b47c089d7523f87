package io.albis.table.model;

import static java.util.Locale.ENGLISH;

/**
 * The operation that created a version. A version contains the label for information, so a reader accepts labels
 * that it does not know.
 */
public enum TableOperation
{
    /**
     * A CREATE TABLE, which recognizes the versions of its earlier attempts by this label. No other statement uses it.
     */
    CREATE,
    APPEND,
    /**
     * A DELETE, which only removes rows.
     */
    DELETE,
    /**
     * An UPDATE or a MERGE, which may remove and add rows.
     */
    OVERWRITE,
    /**
     * A replacement of row groups by new ones with the same rows.
     */
    OPTIMIZE,
    /**
     * New column groups or indexes of existing row groups, with the same rows and values as before, and of the row
     * groups of later writes.
     */
    REGROUP,
    TRUNCATE,
    /**
     * A CREATE OR REPLACE of a table that existed.
     */
    REPLACE,
    /**
     * A refresh of a materialized view, which replaces its rows or adds some.
     */
    REFRESH,
    /**
     * A return to the content of an earlier version.
     */
    ROLLBACK,
    /**
     * A change of columns, comments, or properties.
     */
    ALTER,
    RENAME,
    /**
     * Earlier versions have expired.
     */
    EXPIRE,
    /**
     * Files that no version names are deleted.
     */
    CONDEMN,
    /**
     * A registration of a table that had no name.
     */
    REGISTER,
    /**
     * The table loses its name and can be registered again.
     */
    UNREGISTER,
    /**
     * The folder of a failed load becomes that of a dropped table.
     */
    VACUUM,
    DROP;

    public String label()
    {
        return name().toLowerCase(ENGLISH);
    }
}
