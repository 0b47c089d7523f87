package io.albis.format.layout.block;

/**
 * Optional techniques that make the block layout smaller.
 *
 * @param narrowWidths whether integers and lengths may be stored in fewer bytes than in memory
 * @param dictionaries whether text with few distinct values may be stored as dictionary ids
 */
public record BlockEncoding(boolean narrowWidths, boolean dictionaries) {}
