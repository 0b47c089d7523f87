/**
 * Serialization of the JSON files of a warehouse. Every file has a header, a body, and a checksum. A reader
 * distinguishes damaged files from files of a newer version of Albis. Start with {@link JsonFiles}, and see
 * {@link JsonFrame} for the bytes around the body.
 */
package io.albis.table.json;
