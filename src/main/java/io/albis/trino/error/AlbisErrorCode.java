package io.albis.trino.error;

import io.trino.spi.ErrorCode;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.ErrorType;

import static io.trino.spi.ErrorType.EXTERNAL;

/**
 * Error codes of the connector, in addition to the standard codes of Trino.
 */
public enum AlbisErrorCode
        implements ErrorCodeSupplier
{
    /**
     * A file is damaged: its content is not what was written.
     */
    ALBIS_BAD_DATA(0, EXTERNAL, false),
    /**
     * A file needs a newer version of this connector.
     */
    ALBIS_DATA_TOO_NEW(1, EXTERNAL, true),
    /**
     * A file has a version that this connector no longer reads.
     */
    ALBIS_DATA_TOO_OLD(2, EXTERNAL, true),
    /**
     * A read from storage or a write to it failed.
     */
    ALBIS_FILESYSTEM_ERROR(3, EXTERNAL, false),
    /**
     * Storage failed during a commit, and its outcome is unknown. A retry could write the rows twice.
     */
    ALBIS_COMMIT_ERROR(4, EXTERNAL, true),
    /**/;

    // Far from the codes of Trino's own connectors, which start at 0x0100_0000 and use steps of 0x0001_0000

    private static final int FIRST_CODE = 0x4A1B_0000;

    private final ErrorCode errorCode;

    /**
     * @param fatal whether fault-tolerant execution must not retry the query or task
     */
    AlbisErrorCode(int code, ErrorType type, boolean fatal)
    {
        errorCode = new ErrorCode(code + FIRST_CODE, name(), type, fatal);
    }

    @Override
    public ErrorCode toErrorCode()
    {
        return errorCode;
    }
}
