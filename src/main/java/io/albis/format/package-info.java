/**
 * The file format and its Java API, which follows the Albis paper (section 3 and Table 4): schemas, filters, readers,
 * and writers of folders of rows. Depends on no other part of the connector. Start with {@link AlbisSchema}, which
 * opens {@link AlbisWriter} and {@link AlbisReader}.
 */
package io.albis.format;
