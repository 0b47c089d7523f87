package io.albis.trino.error;

import io.trino.spi.ErrorCode;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.ErrorType;

import static io.trino.spi.ErrorType.EXTERNAL;

public enum AlbisErrorCode
        implements ErrorCodeSupplier
{
    /**
     * A file is not what was written.
     */
    ALBIS_BAD_DATA(0, EXTERNAL, false),
    /**
     * A file needs a newer version of this connector.
     */
    ALBIS_DATA_TOO_NEW(1, EXTERNAL, true),
    /**
     * A file is of a version that this connector reads no longer.
     */
    ALBIS_DATA_TOO_OLD(2, EXTERNAL, true),
    /**
     * Storage could not be read or written.
     */
    ALBIS_FILESYSTEM_ERROR(3, EXTERNAL, false),
    /**
     * Storage failed during a commit, which may be there or not: to write the rows again could double them.
     */
    ALBIS_COMMIT_ERROR(4, EXTERNAL, true),
    /**/;

    // far from the codes of Trino's own connectors, which stand at 0x0100_0000 and the next few hundred of 0x0001_0000

    private static final int FIRST_CODE = 0x4A1B_0000;

    private final ErrorCode errorCode;

    /**
     * @param fatal whether retry-policy is not to run the query or task again
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
