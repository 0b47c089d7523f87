package io.albis.table.json;

import com.google.common.collect.ImmutableSet;

import java.util.Set;

/**
 * What a version may use that not every reader knows. A reader that finds one it does not know says that the table is
 * too new for it.
 */
final class TableFeatures
{
    /**
     * None so far: deletes will be the first.
     */
    static final Set<String> KNOWN = ImmutableSet.of();

    private TableFeatures() {}
}
