package io.albis.trino.sample;

import io.albis.format.metadata.RowGroup;
import io.albis.table.version.ManifestSelection;

import java.util.List;
import java.util.function.DoubleSupplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Chooses row groups at random, each with the same probability and independently of the others. The engine chooses
 * splits in the same way.
 *
 * @param ratio the probability, from 0 to 1
 * @param random returns numbers from 0 to 1, but not 1
 */
public record RowGroupSample(double ratio, DoubleSupplier random)
{
    public RowGroupSample
    {
        requireNonNull(random, "random is null");
    }

    public ManifestSelection apply(ManifestSelection selection)
    {
        List<RowGroup> chosen = selection.rowGroups().stream()
                .filter(_ -> random.getAsDouble() < ratio)
                .collect(toImmutableList());
        return new ManifestSelection(chosen, selection.manifests(), selection.prunedManifests(), selection.prunedRowGroups() + selection.rowGroups().size() - chosen.size());
    }
}
