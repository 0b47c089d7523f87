package io.albis.table.version;

/**
 * The rows that a write has read from the table to which it writes. The write conflicts with commits that change them.
 */
public final class ReadSet
{
    /**
     * The write has not read its table, so it never conflicts.
     */
    public static final ReadSet BLIND = new ReadSet(false);

    private static final ReadSet WHOLE_TABLE = new ReadSet(true);

    private final boolean readsTable;

    private ReadSet(boolean readsTable)
    {
        this.readsTable = readsTable;
    }

    /**
     * Returns the read set of a write that has read the whole table. It conflicts with every commit of rows since the
     * version from which the write started, because the write would have read the added rows too.
     */
    public static ReadSet wholeTable()
    {
        return WHOLE_TABLE;
    }

    boolean conflictsWithData()
    {
        return readsTable;
    }
}
