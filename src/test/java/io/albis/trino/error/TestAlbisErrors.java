package io.albis.trino.error;

import io.albis.format.io.AlbisDataException;
import io.albis.table.model.TableException;
import io.trino.filesystem.TrinoFileSystemException;
import org.junit.jupiter.api.Test;

import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_COMMIT_ERROR;
import static io.albis.trino.error.AlbisErrors.toTrinoException;
import static org.assertj.core.api.Assertions.assertThat;

final class TestAlbisErrors
{
    /**
     * Whoever takes a damaged file for a failed commit repeats a statement that may have succeeded.
     */
    @Test
    void testUnknownOutcome()
    {
        AlbisDataException damaged = damaged("a damaged file");
        assertThat(toTrinoException(new TableException(OUTCOME_UNKNOWN, "unknown", damaged)).getErrorCode()).isEqualTo(ALBIS_COMMIT_ERROR.toErrorCode());
        assertThat(toTrinoException(new TableException(OUTCOME_UNKNOWN, "unknown", new TrinoFileSystemException("storage")))).hasMessage("unknown. The storage said: storage");
        assertThat(toTrinoException(new TableException(CONFLICT, "conflict", damaged)).getErrorCode()).isEqualTo(ALBIS_BAD_DATA.toErrorCode());
    }
}
