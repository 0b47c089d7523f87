/**
 * Selection of the access control of a catalog with {@code albis.security}. Start with {@link AlbisSecurityModule}.
 */
package io.albis.trino.security;
