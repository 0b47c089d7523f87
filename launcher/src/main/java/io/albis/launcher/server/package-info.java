/**
 * Assembles and starts a local Trino server with the plugin. Start with {@link LocalServer}.
 */
package io.albis.launcher.server;
