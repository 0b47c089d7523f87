/**
 * Programs that use the Java API as other projects do. Start with {@link Example}.
 */
package io.albis.examples;
