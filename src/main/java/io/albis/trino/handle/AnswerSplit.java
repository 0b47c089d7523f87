package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.trino.spi.connector.ConnectorSplit;

import static io.airlift.slice.SizeOf.instanceSize;

/**
 * The only split of a scan whose result is known.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param rowGroups number of row groups that are not read
 */
public record AnswerSplit(HandleBuild build, long rowGroups)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(AnswerSplit.class);

    @JsonCreator
    public AnswerSplit
    {
        HandleBuild.checkPresent(build);
    }

    public AnswerSplit(long rowGroups)
    {
        this(HandleBuild.CURRENT_ID, rowGroups);
    }

    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE;
    }
}
