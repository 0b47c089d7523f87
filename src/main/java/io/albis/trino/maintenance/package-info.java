/**
 * The procedures of CALL, and the table functions that list tables without a name. Start with {@link RegisterTable}.
 */
package io.albis.trino.maintenance;
