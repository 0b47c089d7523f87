package io.albis.table.json;

import com.google.common.collect.ImmutableSet;

import java.util.Set;

/**
 * Features of table versions that older readers do not support. A reader that finds an unknown feature reports that the
 * table is too new for it.
 */
final class TableFeatures
{
    /**
     * The supported features. There are none yet.
     */
    static final Set<String> KNOWN = ImmutableSet.of();

    private TableFeatures() {}
}
