/**
 * Encodes what sinks on workers report to the commit on the coordinator: row groups, deleted rows, and new instances of
 * column groups, without their data. Start with {@link WriteFragments}, which encodes and decodes all of them.
 */
package io.albis.trino.fragment;
