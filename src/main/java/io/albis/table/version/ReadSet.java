package io.albis.table.version;

/**
 * What a write has read of the table it writes to, which others must not have changed meanwhile.
 */
public final class ReadSet
{
    /**
     * The write has read nothing of its table: it never conflicts.
     */
    public static final ReadSet BLIND = new ReadSet(false);

    private static final ReadSet WHOLE_TABLE = new ReadSet(true);

    private final boolean readsTable;

    private ReadSet(boolean readsTable)
    {
        this.readsTable = readsTable;
    }

    /**
     * The write may have read any row, and would have seen any row that was added: it conflicts with every commit of
     * data since the version that it started from.
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
