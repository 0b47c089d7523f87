/**
 * Imports tables of other catalogs. A procedure of the connector could not do this, because Trino gives a connector
 * neither the rows nor the properties of tables of other catalogs. {@link io.albis.launcher.importing.TableImport} runs
 * the statements of an {@link io.albis.launcher.importing.ImportPlan}.
 */
package io.albis.launcher.importing;
