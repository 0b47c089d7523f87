package io.albis.launcher.sizing;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.tpcds.Scale;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * The measurements of all numbers of clients.
 */
public record SizingReport(Scale scale, List<Measurement> measurements)
{
    public SizingReport
    {
        requireNonNull(scale, "scale is null");
        measurements = ImmutableList.copyOf(measurements);
    }

    public String markdown()
    {
        return MeasurementTable.markdown(scale, measurements);
    }

    public String json()
    {
        return MeasurementTable.json(scale, measurements);
    }

    public boolean hasFailures()
    {
        return measurements.stream().anyMatch(measurement -> measurement.failed() > 0);
    }
}
