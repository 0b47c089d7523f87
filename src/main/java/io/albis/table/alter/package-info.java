/**
 * Changes of the metadata of a table: its columns and their fields, its properties and comments, its tags, and the
 * definition of a view. Such a commit writes no rows. Each change is applied again to the newest version if another
 * writer commits first. Start with {@link Change}, then read {@link SchemaChange} and {@link FieldChange}. {@link
 * NotNullConstraint} is the only one that reads manifests.
 */
package io.albis.table.alter;
