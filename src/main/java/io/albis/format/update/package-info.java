/**
 * Updates of columns of a row group in place. Start with {@link ColumnRewriter}.
 */
package io.albis.format.update;
