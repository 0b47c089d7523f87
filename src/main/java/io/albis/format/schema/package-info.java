/**
 * This package contains the schema of row groups: the columns with their names, types, and ids, and the column groups
 * with their layouts. Readers and writers of row groups use these classes. Start with {@link RowGroupSchema}, then
 * read {@link AlbisColumn} and {@link AlbisColumnGroup}.
 */
package io.albis.format.schema;
