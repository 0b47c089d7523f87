/**
 * The procedures of ALTER TABLE EXECUTE: expiring snapshots, removing orphan files, rollbacks, and tags. They change
 * one table, and only the coordinator runs them, because they read and write no rows. Start with {@link
 * TableProcedures}, which checks the arguments and runs a procedure. {@link TableProcedure} lists the procedures.
 */
package io.albis.trino.procedure;
