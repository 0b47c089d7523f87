package io.albis.table.alter;

import com.google.common.collect.Maps;
import io.albis.format.type.FieldTree;
import io.albis.format.type.FieldTree.Field;
import io.albis.format.type.NestedKind;

import java.util.Map;

import static com.google.common.collect.Sets.intersection;

/**
 * Keys of maps keep their fields, because keys must be unique and contain no nulls.
 */
final class MapKeys
{
    private static final int KEY_ID = 1;

    private MapKeys() {}

    /**
     * Returns whether the keys of all maps in a type have the same fields after a change.
     */
    static boolean keepFields(FieldTree before, FieldTree after)
    {
        return keepFields(before, after, false);
    }

    /**
     * @param inKey whether the type is a part of a key
     */
    private static boolean keepFields(FieldTree before, FieldTree after, boolean inKey)
    {
        Map<Integer, Field> earlier = Maps.uniqueIndex(before.children(), Field::id);
        Map<Integer, Field> later = Maps.uniqueIndex(after.children(), Field::id);
        if (inKey && !earlier.keySet().equals(later.keySet())) {
            return false;
        }
        boolean map = NestedKind.of(after.type()).orElse(null) == NestedKind.MAP;
        for (int id : intersection(earlier.keySet(), later.keySet())) {
            if (!keepFields(earlier.get(id).tree(), later.get(id).tree(), inKey || (map && id == KEY_ID))) {
                return false;
            }
        }
        return true;
    }
}
