package io.albis.table.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.EncodedStatistics;
import io.albis.format.statistics.StatisticsCodec;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * The bounds of columns over all row groups of a manifest, so that a query can skip the manifest without reading it. A
 * version contains them in Base64. The type of a bound is that of the column in the version. A column without bounds
 * here is not bounded.
 */
public final class ManifestBounds
{
    public static final ManifestBounds NONE = of(List.of());

    private final String text;
    private final EncodedStatistics columns;

    /**
     * Decodes bounds from Base64.
     *
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the text is not valid
     */
    @JsonCreator
    public ManifestBounds(String text)
    {
        this.text = requireNonNull(text, "text is null");
        Slice bytes = Slices.wrappedBuffer(Base64.getDecoder().decode(text));
        SliceInput input = bytes.getInput();
        int count = StatisticsCodec.skip(input, Long.MAX_VALUE);
        checkArgument(!input.isReadable(), "the bounds of a manifest end with %s unexpected bytes", input.available());
        this.columns = new EncodedStatistics(bytes, Integer.BYTES, count);
    }

    public static ManifestBounds of(List<ColumnStatistics> columns)
    {
        DynamicSliceOutput output = new DynamicSliceOutput(256);
        StatisticsCodec.write(columns, output);
        return new ManifestBounds(Base64.getEncoder().encodeToString(output.slice().getBytes()));
    }

    /**
     * Returns the bounds of a column, or empty if they are unknown.
     */
    public Optional<ColumnStatistics> find(int columnId)
    {
        return columns.find(columnId);
    }

    public List<ColumnStatistics> columns()
    {
        return columns;
    }

    /**
     * Returns the bounds of those columns that have one of some ids.
     */
    public ManifestBounds filter(IntPredicate columnIds)
    {
        return of(columns.stream()
                .filter(column -> columnIds.test(column.columnId()))
                .collect(toImmutableList()));
    }

    @JsonValue
    public String text()
    {
        return text;
    }

    @Override
    public boolean equals(Object object)
    {
        return object instanceof ManifestBounds other && text.equals(other.text);
    }

    @Override
    public int hashCode()
    {
        return text.hashCode();
    }

    @Override
    public String toString()
    {
        return columns.toString();
    }
}
