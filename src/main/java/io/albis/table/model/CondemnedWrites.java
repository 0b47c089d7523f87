package io.albis.table.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;

import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Writes whose files no later version may add, because the files are being deleted. The first half of the id of a file
 * names the write.
 *
 * @param forgotten greatest version whose condemnation is no longer repeated, or 0. What it condemned is unknown, so a
 *         write that began before this version adds no files any more
 * @param condemnations what later versions have condemned, in their order
 */
public record CondemnedWrites(long forgotten, @JsonInclude(NON_EMPTY) List<Condemnation> condemnations)
{
    public static final CondemnedWrites NONE = new CondemnedWrites(0, ImmutableList.of());

    private static final HexFormat HEX = HexFormat.of();
    private static final Pattern WRITE = Pattern.compile("[0-9a-f]{16}");

    public CondemnedWrites
    {
        checkArgument(forgotten >= 0, "forgotten is negative: %s", forgotten);
        condemnations = condemnations == null ? ImmutableList.of() : ImmutableList.copyOf(condemnations);
        long previous = forgotten;
        for (Condemnation condemnation : condemnations) {
            checkArgument(condemnation.version() > previous, "versions that condemn writes are not in order: %s follows %s", condemnation.version(), previous);
            previous = condemnation.version();
        }
    }

    /**
     * @param version the version that has condemned the writes
     * @param writes names of the writes
     */
    public record Condemnation(long version, List<String> writes)
    {
        public Condemnation
        {
            checkArgument(version >= TableVersion.FIRST_VERSION, "version is not positive: %s", version);
            writes = ImmutableList.copyOf(writes);
            for (String write : writes) {
                checkArgument(WRITE.matcher(write).matches(), "the name of a write does not have 16 hexadecimal digits: %s", write);
            }
        }
    }

    /**
     * Returns the name of the write that has created a file or a folder with an id.
     */
    public static String writeOf(UUID id)
    {
        return HEX.toHexDigits(id.getMostSignificantBits());
    }

    /**
     * Returns whether a commit may add files.
     *
     * @param since a version that existed before the files did
     * @param ids ids of the files
     */
    public boolean mayAdd(long since, Collection<UUID> ids)
    {
        if (since < forgotten) {
            return false;
        }
        Set<String> writes = writes();
        return ids.stream().noneMatch(id -> writes.contains(writeOf(id)));
    }

    public Set<String> writes()
    {
        ImmutableSet.Builder<String> writes = ImmutableSet.builder();
        condemnations.forEach(condemnation -> writes.addAll(condemnation.writes()));
        return writes.build();
    }

    /**
     * Returns the last version of which nothing is forgotten and that has condemned writes, or {@code forgotten}.
     */
    public long lastVersion()
    {
        return condemnations.isEmpty() ? forgotten : condemnations.getLast().version();
    }

    /**
     * Returns a copy without what a version and those before it have condemned.
     */
    public CondemnedWrites forget(long version)
    {
        return new CondemnedWrites(Math.max(forgotten, version), condemnations.stream()
                .filter(condemnation -> condemnation.version() > version)
                .collect(toImmutableList()));
    }

    /**
     * Returns a copy with the writes that a later version condemns.
     */
    public CondemnedWrites with(long version, Collection<String> writes)
    {
        return new CondemnedWrites(forgotten, ImmutableList.<Condemnation>builder()
                .addAll(condemnations)
                .add(new Condemnation(version, ImmutableList.sortedCopyOf(writes)))
                .build());
    }
}
