/**
 * Measures what concurrent queries need. Start with {@link io.albis.launcher.sizing.ConcurrentQueries}.
 */
package io.albis.launcher.sizing;
