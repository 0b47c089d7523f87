/**
 * The commands of {@code bin/albis} that need a Trino server. Start with {@link Launcher}.
 */
package io.albis.launcher;
