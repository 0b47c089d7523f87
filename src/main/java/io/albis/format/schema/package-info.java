/**
 * The schema of row groups: columns, column groups, and their layout. Start with {@link RowGroupSchema}.
 */
package io.albis.format.schema;
