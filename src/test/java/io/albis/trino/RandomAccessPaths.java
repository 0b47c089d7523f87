package io.albis.trino;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static java.util.stream.Collectors.joining;

/**
 * Random table properties by which queries find rows without reading the others: indexes and the order of rows.
 */
public final class RandomAccessPaths
{
    private RandomAccessPaths() {}

    /**
     * Returns properties to append to others in the WITH clause, which can be none. Most tables have indexes of some
     * columns, and half of them are sorted.
     */
    public static String properties(Random random, List<String> columns)
    {
        List<String> shuffled = new ArrayList<>(columns);
        Collections.shuffle(shuffled, random);
        String order = random.nextBoolean() ? ", sorted_by = ARRAY['%s%s']".formatted(shuffled.getFirst(), random.nextBoolean() ? " DESC" : "") : "";
        Collections.shuffle(shuffled, random);
        List<String> indexed = shuffled.subList(0, random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(shuffled.size()));
        String indexes = indexed.isEmpty() ? "" : ", indexed_by = " + indexed.stream().map("'%s'"::formatted).collect(joining(", ", "ARRAY[", "]"));
        return order + indexes;
    }
}
