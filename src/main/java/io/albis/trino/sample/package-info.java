/**
 * Samples of tables, for TABLESAMPLE SYSTEM. Start with {@link SamplePushdown}.
 */
package io.albis.trino.sample;
