/**
 * The procedures of ALTER TABLE EXECUTE. Start with {@link TableProcedures}.
 */
package io.albis.trino.procedure;
