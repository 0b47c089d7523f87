/**
 * What both layouts of a column group have in common. The layouts are in the sub-packages {@code row} and
 * {@code block}, each with its encoders next to its decoders. Start with {@link SegmentEncoder}.
 */
package io.albis.format.layout;
