/**
 * What is known about the rows of a table without reading them, for row groups and for whole manifests alike. Start
 * with {@link TablePart}.
 */
package io.albis.table.part;
