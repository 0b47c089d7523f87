package io.albis.benchmarks.workload;

final class TableFolders
{
    private TableFolders() {}

    /**
     * Matches the directories of tables. Depending on the connector, a table is in {@code store_sales} or in
     * {@code store_sales-<uuid>}.
     *
     * @param folder name of a directory in the directory of the schema
     */
    static boolean isOf(String folder, String table)
    {
        return folder.equals(table) || folder.startsWith(table + "-");
    }
}
