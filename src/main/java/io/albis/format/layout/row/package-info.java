/**
 * The row layout: the columns of a group are stored row by row (Albis paper, section 3.1). Start with
 * {@link RowStructure}, then {@link RowEncoder} and {@link RowDecoder}.
 */
package io.albis.format.layout.row;
