package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.ScalarType;
import io.albis.trino.IndexThresholds;
import io.trino.Session;
import io.trino.testing.QueryRunner;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static java.lang.String.join;
import static java.util.stream.Collectors.joining;

/**
 * Random table and session properties that affect time and space, but not results.
 */
final class RandomOptions
{
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?(E-\\d+)?");

    // All boolean session properties of the catalog, including those that are added in the future
    private final List<String> switches;

    RandomOptions(QueryRunner queryRunner)
    {
        switches = queryRunner.execute("SHOW SESSION LIKE '" + CATALOG + ".%'").getMaterializedRows().stream()
                .filter(row -> row.getField(3).equals("boolean"))
                .map(row -> ((String) row.getField(0)).substring(CATALOG.length() + 1))
                .sorted()
                .collect(toImmutableList());
    }

    List<String> switches()
    {
        return switches;
    }

    /**
     * Returns the properties for the WITH clause of a table.
     */
    String tableProperties(Random random, List<QueryColumn> columns, int rowCount)
    {
        List<String> properties = new ArrayList<>();
        if (random.nextInt(3) > 0) {
            properties.add("layout = " + layout(random));
        }
        List<String> groups = switch (random.nextInt(4)) {
            case 0 -> random.nextBoolean() ? ImmutableList.of(group(columns)) : columns.stream().map(column -> group(ImmutableList.of(column))).toList();
            case 1, 2 -> groups(random, columns);
            default -> ImmutableList.of();
        };
        if (!groups.isEmpty()) {
            properties.add("column_groups = ARRAY[%s]".formatted(join(", ", groups)));
            if (random.nextBoolean()) {
                properties.add("column_group_layouts = ARRAY[%s]".formatted(groups.stream().map(_ -> layout(random)).collect(joining(", "))));
            }
            if (random.nextInt(4) == 0) {
                properties.add("column_group_compressions = ARRAY[%s]".formatted(groups.stream().map(_ -> compression(random)).collect(joining(", "))));
            }
        }
        if (random.nextInt(3) > 0) {
            int rowGroups = 1 + random.nextInt(8);
            properties.add("row_group_rows = " + Math.max(1, rowCount / rowGroups));
        }
        if (random.nextInt(8) == 0) {
            properties.add("row_group_size = '%skB'".formatted(256 << random.nextInt(8)));
        }
        if (random.nextInt(4) > 0) {
            properties.add("segment_size = '%skB'".formatted(1 << random.nextInt(10)));
        }
        if (random.nextBoolean()) {
            properties.add("compression = " + compression(random));
        }
        List<QueryColumn> indexable = columns.stream().filter(column -> ScalarType.of(column.type()) != ScalarType.JSON).toList();
        if (!indexable.isEmpty() && random.nextInt(4) > 0) {
            properties.add("indexed_by = " + group(someColumns(random, indexable)));
        }
        List<QueryColumn> orderable = columns.stream().filter(QueryColumn::isOrderable).toList();
        if (!orderable.isEmpty() && random.nextInt(3) == 0) {
            properties.add("sorted_by = " + order(random, someColumns(random, orderable)));
        }
        return properties.isEmpty() ? "" : " WITH (" + join(", ", properties) + ")";
    }

    private static List<QueryColumn> someColumns(Random random, List<QueryColumn> columns)
    {
        List<QueryColumn> shuffled = new ArrayList<>(columns);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, 1 + random.nextInt(shuffled.size()));
    }

    private static String order(Random random, List<QueryColumn> columns)
    {
        return columns.stream()
                .map(column -> "'%s%s%s'".formatted(column.name(), random.nextBoolean() ? " DESC" : "", random.nextBoolean() ? " NULLS LAST" : ""))
                .collect(joining(", ", "ARRAY[", "]"));
    }

    private static String compression(Random random)
    {
        return switch (random.nextInt(3)) {
            case 0 -> "'none'";
            case 1 -> "'lz4'";
            default -> "'zstd'";
        };
    }

    private static String layout(Random random)
    {
        return random.nextInt(3) == 0 ? "'row'" : "'block'";
    }

    // Columns without a group are grouped by default
    private static List<String> groups(Random random, List<QueryColumn> columns)
    {
        List<QueryColumn> rest = new ArrayList<>(columns);
        Collections.shuffle(rest, random);
        List<String> groups = new ArrayList<>();
        do {
            int size = 1 + random.nextInt(rest.size());
            groups.add(group(rest.subList(0, size)));
            rest = rest.subList(size, rest.size());
        }
        while (!rest.isEmpty() && random.nextInt(4) > 0);
        return groups;
    }

    private static String group(List<QueryColumn> columns)
    {
        return columns.stream()
                .map(column -> "'" + column.name() + "'")
                .collect(joining(", ", "ARRAY[", "]"));
    }

    /**
     * Returns session properties for writing. With one writer, the same seed always creates the same table.
     */
    List<Option> writing(Random random)
    {
        ImmutableList.Builder<Option> options = ImmutableList.builder();
        addSwitches(random, options);
        options.add(new Option("redistribute_writes", "false"));
        options.add(new Option("scale_writers", "false"));
        options.add(new Option("task_scale_writers_enabled", "false"));
        options.add(new Option("task_min_writer_count", "1"));
        return options.build();
    }

    List<Option> reading(Random random)
    {
        ImmutableList.Builder<Option> options = ImmutableList.builder();
        addSwitches(random, options);
        if (random.nextInt(8) > 0) {
            options.addAll(searching(random));
        }
        options.add(new Option(CATALOG + ".dynamic_filtering_wait_timeout", random.nextBoolean() ? "0s" : "10s"));
        options.add(new Option(CATALOG + ".read_ahead", random.nextBoolean() ? "ALWAYS" : "NEVER"));
        options.add(new Option(CATALOG + ".split_locality", random.nextBoolean() ? "OFF" : "PREFER"));
        options.add(new Option(CATALOG + ".max_split_size", random.nextBoolean() ? "64MB" : "64kB"));
        // The engine's own row filter, which sees only the rows that the connector returns
        options.add(new Option("enable_dynamic_row_filtering", Boolean.toString(random.nextInt(4) == 0)));
        options.add(new Option("join_distribution_type", random.nextBoolean() ? "BROADCAST" : "PARTITIONED"));
        options.add(new Option("join_reordering_strategy", random.nextInt(3) == 0 ? "AUTOMATIC" : "NONE"));
        options.add(new Option("output_pages_validation_enabled", Boolean.toString(random.nextBoolean())));
        return options.build();
    }

    /**
     * Returns session properties with which most indexes of small tables are searched.
     */
    static List<Option> searching(Random random)
    {
        return IndexThresholds.random(random).entrySet().stream()
                .map(property -> new Option(CATALOG + "." + property.getKey(), property.getValue()))
                .collect(toImmutableList());
    }

    private void addSwitches(Random random, ImmutableList.Builder<Option> options)
    {
        // The defaults, each property on its own, or all of them at random
        switch (random.nextInt(4)) {
            case 0 -> {}
            case 1 -> options.add(new Option(CATALOG + "." + switches.get(random.nextInt(switches.size())), "false"));
            default -> switches.forEach(name -> options.add(new Option(CATALOG + "." + name, Boolean.toString(random.nextBoolean()))));
        }
    }

    /**
     * A session property.
     */
    record Option(String name, String value)
    {
        static Session apply(List<Option> options, Session session)
        {
            Session.SessionBuilder builder = Session.builder(session);
            for (Option option : options) {
                if (option.name().startsWith(CATALOG + ".")) {
                    builder.setCatalogSessionProperty(CATALOG, option.name().substring(CATALOG.length() + 1), option.value());
                }
                else {
                    builder.setSystemProperty(option.name(), option.value());
                }
            }
            return builder.build();
        }

        String toSql()
        {
            boolean quoted = !value.equals("true") && !value.equals("false") && !NUMBER.matcher(value).matches();
            return "SET SESSION %s = %s".formatted(name, quoted ? "'" + value + "'" : value);
        }
    }
}
