/**
 * Records which columns queries read together, and proposes column groups. Each coordinator keeps this in memory, so
 * readers write nothing. Start with {@link ColumnUsage}, to which every scan is reported. {@link GroupProposal} turns
 * the usage of a table into column groups.
 */
package io.albis.trino.usage;
