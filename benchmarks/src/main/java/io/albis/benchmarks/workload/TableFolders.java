package io.albis.benchmarks.workload;

final class TableFolders
{
    private TableFolders() {}

    /**
     * Tables are in {@code store_sales}, or in {@code store_sales-<uuid>} where the connector adds one.
     *
     * @param folder name of a folder in that of the schema
     */
    static boolean isOf(String folder, String table)
    {
        return folder.equals(table) || folder.startsWith(table + "-");
    }
}
