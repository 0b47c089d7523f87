/**
 * This package installs the access control of a catalog. The property {@code albis.security} selects it from those
 * that Trino's plugin toolkit provides, or leaves access control to the server. Start with {@link
 * AlbisSecurityModule}.
 */
package io.albis.trino.security;
