/**
 * This package contains the interface that both layouts of a column group implement for writing. Each layout has a
 * sub-package with its encoders and decoders: {@code row} and {@code block}. Start with {@link SegmentEncoder}, then
 * read the sub-package of one layout.
 */
package io.albis.format.layout;
