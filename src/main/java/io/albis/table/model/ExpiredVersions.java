package io.albis.table.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Collections.binarySearch;

/**
 * The versions of a table that have expired. Their files may be missing, and a stub may have replaced the version
 * itself.
 *
 * @param before the oldest version that has not expired, apart from exceptions
 * @param collected all versions below this number that have expired are stubs, and their files were deleted
 * @param except versions below {@code before} that have not expired, ascending
 */
public record ExpiredVersions(long before, long collected, @JsonInclude(NON_EMPTY) List<Long> except)
{
    public static final ExpiredVersions NONE = new ExpiredVersions(TableVersion.FIRST_VERSION, TableVersion.FIRST_VERSION, ImmutableList.of());

    public ExpiredVersions
    {
        checkArgument(before >= TableVersion.FIRST_VERSION, "before is not positive: %s", before);
        checkArgument(collected >= TableVersion.FIRST_VERSION && collected <= before, "collected is not between 1 and %s: %s", before, collected);
        except = except == null ? ImmutableList.of() : ImmutableList.copyOf(except);
        long previous = 0;
        for (long version : except) {
            checkArgument(version > previous && version < before, "a version that has not expired is not between %s and %s: %s", previous + 1, before - 1, version);
            previous = version;
        }
    }

    /**
     * Returns the number of versions that have expired.
     */
    public long count()
    {
        return before - TableVersion.FIRST_VERSION - except.size();
    }

    /**
     * Returns whether a version has expired.
     */
    public boolean contains(long version)
    {
        return version < before && binarySearch(except, version) < 0;
    }
}
