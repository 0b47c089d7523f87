/**
 * Updates columns of a row group in place. An UPDATE that changes many rows of a row group writes new instances of only
 * the column groups with the updated columns, and the rows keep their positions. The classes of this package combine
 * the new values with those of the old instances. Start with {@link ColumnRewriter}, which writes the new instances.
 * {@link RowUpdates} contains the new values, and {@link UpdatedRows} reads the other columns of the updated rows.
 */
package io.albis.format.update;
