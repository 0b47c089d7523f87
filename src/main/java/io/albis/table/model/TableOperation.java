package io.albis.table.model;

import static java.util.Locale.ENGLISH;

/**
 * What the commit of a version did. A version contains the label only for information, so a reader accepts labels that
 * it does not know.
 */
public enum TableOperation
{
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
    TRUNCATE,
    /**
     * A CREATE OR REPLACE of a table that existed.
     */
    REPLACE,
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
    DROP;

    public String label()
    {
        return name().toLowerCase(ENGLISH);
    }
}
