package io.albis.benchmarks.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Measurement;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.function.Function.identity;

/**
 * Writes and reads reports as JSON. Each row of a table and each measurement is one line, so that the difference
 * between two files can be read.
 */
public final class JsonReports
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Map<String, Figure> FIGURES = Arrays.stream(Figure.values())
            .collect(toImmutableMap(Figure::columnName, identity()));
    private static final String TASK = "task";
    private static final String CATALOG = "catalog";
    private static final String ROUND = "round";
    private static final String FAILURE = "failure";

    private JsonReports() {}

    public static String render(SavedReport report)
    {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = MAPPER.createGenerator(text)) {
            // The same line ends on each system
            DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
            generator.setPrettyPrinter(new DefaultPrettyPrinter()
                    .withArrayIndenter(indenter)
                    .withObjectIndenter(indenter));
            generator.writeStartObject();
            generator.writeStringField("title", report.title());
            generator.writeObjectFieldStart("environment");
            for (Map.Entry<String, String> entry : report.environment().entrySet()) {
                generator.writeStringField(entry.getKey(), entry.getValue());
            }
            generator.writeEndObject();
            writeLines(generator, "introduction", report.introduction());
            generator.writeArrayFieldStart("sections");
            for (SavedSection section : report.sections()) {
                writeSection(generator, section);
            }
            generator.writeEndArray();
            generator.writeArrayFieldStart("measurements");
            for (Measurement measurement : report.measurements()) {
                generator.writeRawValue(MAPPER.writeValueAsString(fields(measurement)));
            }
            generator.writeEndArray();
            generator.writeEndObject();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text + "\n";
    }

    private static void writeSection(JsonGenerator generator, SavedSection section)
            throws IOException
    {
        generator.writeStartObject();
        generator.writeStringField("title", section.title());
        generator.writeArrayFieldStart("content");
        for (SavedContent content : section.content()) {
            generator.writeStartObject();
            switch (content) {
                case SavedLines lines -> writeLines(generator, "lines", lines.lines());
                case SavedTable table -> {
                    generator.writeFieldName("columns");
                    generator.writeRawValue(MAPPER.writeValueAsString(table.columns()));
                    generator.writeArrayFieldStart("rows");
                    for (List<String> row : table.rows()) {
                        generator.writeRawValue(MAPPER.writeValueAsString(row));
                    }
                    generator.writeEndArray();
                }
            }
            generator.writeEndObject();
        }
        generator.writeEndArray();
        generator.writeEndObject();
    }

    private static void writeLines(JsonGenerator generator, String name, List<String> lines)
            throws IOException
    {
        generator.writeArrayFieldStart(name);
        for (String line : lines) {
            generator.writeString(line);
        }
        generator.writeEndArray();
    }

    private static Map<String, Object> fields(Measurement measurement)
    {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(TASK, measurement.task());
        fields.put(CATALOG, measurement.catalog());
        fields.put(ROUND, measurement.round());
        measurement.figures().ifPresent(figures -> {
            for (Figure figure : Figure.values()) {
                if (figures.has(figure)) {
                    fields.put(figure.columnName(), figures.get(figure));
                }
            }
        });
        measurement.failure().ifPresent(failure -> fields.put(FAILURE, failure));
        return fields;
    }

    /**
     * Reads what {@link #render} has written. A later build may have more figures.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static SavedReport parse(String json)
    {
        try {
            JsonNode report = MAPPER.readTree(json);
            ImmutableMap.Builder<String, String> environment = ImmutableMap.builder();
            get(report, "environment").properties().forEach(entry -> environment.put(entry.getKey(), entry.getValue().textValue()));
            return new SavedReport(
                    get(report, "title").textValue(),
                    environment.buildOrThrow(),
                    strings(get(report, "introduction")),
                    get(report, "sections").valueStream()
                            .map(JsonReports::section)
                            .collect(toImmutableList()),
                    get(report, "measurements").valueStream()
                            .map(JsonReports::measurement)
                            .collect(toImmutableList()));
        }
        catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON", e);
        }
    }

    private static SavedSection section(JsonNode section)
    {
        ImmutableList.Builder<SavedContent> contents = ImmutableList.builder();
        for (JsonNode content : get(section, "content")) {
            if (content.has("lines")) {
                contents.add(new SavedLines(strings(content.get("lines"))));
            }
            else {
                contents.add(new SavedTable(
                        strings(get(content, "columns")),
                        get(content, "rows").valueStream()
                                .map(JsonReports::strings)
                                .collect(toImmutableList())));
            }
        }
        return new SavedSection(get(section, "title").textValue(), contents.build());
    }

    private static Measurement measurement(JsonNode measurement)
    {
        ImmutableMap.Builder<Figure, Long> builder = ImmutableMap.builder();
        measurement.properties().forEach(entry -> {
            if (FIGURES.containsKey(entry.getKey())) {
                builder.put(FIGURES.get(entry.getKey()), entry.getValue().longValue());
            }
        });
        Map<Figure, Long> figures = builder.buildOrThrow();
        String task = get(measurement, TASK).textValue();
        String catalog = get(measurement, CATALOG).textValue();
        int round = get(measurement, ROUND).intValue();
        Optional<String> failure = Optional.ofNullable(measurement.get(FAILURE)).map(JsonNode::textValue);
        return failure
                .map(message -> Measurement.failure(task, catalog, round, message))
                .orElseGet(() -> Measurement.success(task, catalog, round, new Figures(figures)));
    }

    private static List<String> strings(JsonNode array)
    {
        return array.valueStream()
                .map(JsonNode::textValue)
                .collect(toImmutableList());
    }

    private static JsonNode get(JsonNode node, String name)
    {
        checkArgument(node.has(name), "not a report, because there is no '%s'", name);
        return node.get(name);
    }
}
