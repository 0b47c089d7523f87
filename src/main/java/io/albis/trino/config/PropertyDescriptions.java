package io.albis.trino.config;

/**
 * Descriptions that catalog, session, and table properties share.
 */
final class PropertyDescriptions
{
    static final String ROW_GROUP_SIZE = "Target size of a row group on storage";
    static final String ROW_GROUP_ROWS = "Maximum number of rows in a row group";
    static final String SEGMENT_SIZE = "Target in-memory size of the widest column of a segment in the block layout, and of its rows or its widest nested column in the row layout";
    static final String NARROW_WIDTHS = "Store integers of the block layout in fewer bytes than in memory if their values allow it";
    static final String DICTIONARIES = "Store columns of the block layout as indexes into a dictionary if they have few distinct values";
    static final String ROW_GROUP_PRUNING = "Prune row groups whose bounds exclude the predicate";
    static final String SEGMENT_PRUNING = "Skip segments whose bounds exclude the predicate";
    static final String ROW_FILTERING = "Evaluate predicates in the reader, which then returns only matching rows";
    static final String EXPRESSION_FILTERING = "Evaluate other expressions on single columns in the reader too, for each distinct value of a dictionary or an index, and skip rows that match none of several alternatives";
    static final String PROJECTION_PUSHDOWN_ENABLED = "Read only those fields of rows, and elements of arrays and maps, that a query needs";
    static final String AGGREGATION_PUSHDOWN_ENABLED = "Answer count, min, and max over all rows of a scan, or over groups of them, from the metadata of the table if it has the exact results";
    static final String LIMIT_PUSHDOWN_ENABLED = "Read only as many row groups as a query with LIMIT needs";
    static final String TOPN_PUSHDOWN_ENABLED = "Skip rows that cannot be among the first rows of a query with ORDER BY and LIMIT";
    static final String SAMPLE_PUSHDOWN_ENABLED = "Sample row groups for TABLESAMPLE SYSTEM";
    static final String BUCKET_EXECUTION_ENABLED = "Distribute scans of tables that are partitioned by buckets so that joins and aggregations need no exchange";
    static final String DYNAMIC_ROW_FILTERING = "Evaluate dynamic filters in the reader, which then returns only matching rows";
    static final String DOMAIN_COMPACTION_THRESHOLD = "Maximum number of values or ranges in the predicate on a column; the engine evaluates a larger predicate, and the reader gets it compacted to this many ranges";
    static final String LAZY_READING = "Read the data of a column only when it is needed, instead of with its segment";
    static final String INDEX_ENABLED = "Find matching rows with the indexes of columns";
    static final String READ_AHEAD = "Read the next bytes while earlier ones are decoded";
    static final String READ_AHEAD_MAX_SIZE = "Maximum size of the data that a split reads ahead";
    static final String MAX_SPLIT_SIZE = "Maximum size of a split on storage; a larger row group is read in several splits";
    static final String SPLIT_LOCALITY = "Schedule splits on the machines that store their data";
    static final String DYNAMIC_FILTERING_WAIT_TIMEOUT = "Duration to wait for completion of dynamic filters during split generation";

    static final String UPDATE_REWRITE_THRESHOLD = "Share of the rows of a row group that a statement must update to write new instances of the updated columns, instead of new rows; 1 to always write new rows";
    static final String SORT_BUFFER_SIZE = "Memory of a writer for rows that it sorts together";
    static final String PARTITION_BUFFER_SIZE = "Memory of a writer for open partitions; if they need more, it writes the largest one as a row group";
    static final String UPDATE_BUFFER_SIZE = "Memory of a writer for the new values of updated rows";

    /**
     * The end of the description of a session property that is the default of a table property.
     */
    static final String SESSION_DEFAULT = ", for tables that do not set this property";

    private PropertyDescriptions() {}
}
