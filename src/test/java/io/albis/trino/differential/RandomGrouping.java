package io.albis.trino.differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Chooses column groups and their layouts.
 */
final class RandomGrouping
{
    private RandomGrouping() {}

    /**
     * Returns a call of the procedure regroup, which names at least one column.
     *
     * @param columns names of the columns
     */
    static String call(Random random, List<String> columns)
    {
        List<String> shuffled = new ArrayList<>(columns);
        Collections.shuffle(shuffled, random);
        List<String> groups = new ArrayList<>();
        List<String> layouts = new ArrayList<>();
        // the columns that are not named are grouped by default
        int named = 1 + random.nextInt(shuffled.size());
        int first = 0;
        while (first < named) {
            int end = first + 1 + random.nextInt(named - first);
            List<String> group = shuffled.subList(first, end);
            groups.add("ARRAY['%s']".formatted(String.join("', '", group)));
            layouts.add(random.nextBoolean() ? "'row'" : "'block'");
            first = end;
        }
        return "regroup(column_groups => ARRAY[%s], column_group_layouts => ARRAY[%s])".formatted(String.join(", ", groups), String.join(", ", layouts));
    }
}
