/**
 * The procedures of ALTER TABLE EXECUTE, which change one table: expiring snapshots, removing orphan files, rollbacks,
 * tags, set_not_null, optimize, regroup, add_index, and drop_index. The coordinator alone runs them, except for the
 * last four, whose rows workers read and write. Start with {@link TableProcedures}, which checks the arguments and runs
 * a procedure. {@link TableProcedure} lists the procedures.
 */
package io.albis.trino.procedure;
