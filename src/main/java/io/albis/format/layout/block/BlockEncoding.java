package io.albis.format.layout.block;

/**
 * What a writer may do to make the block layout smaller.
 *
 * @param narrowWidths integers and lengths may take fewer bytes than in memory
 * @param dictionaries text of few different values may be stored as numbers
 */
public record BlockEncoding(boolean narrowWidths, boolean dictionaries) {}
