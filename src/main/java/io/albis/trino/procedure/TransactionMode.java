package io.albis.trino.procedure;

import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;

import static io.trino.spi.StandardErrorCode.AUTOCOMMIT_WRITE_CONFLICT;
import static io.trino.spi.StandardErrorCode.READ_ONLY_VIOLATION;

/**
 * What a transaction of the engine allows. The engine itself checks this for all statements that write, except for the
 * procedures of ALTER TABLE EXECUTE that the coordinator alone runs.
 *
 * @param autoCommit whether the transaction has a single statement
 */
public record TransactionMode(boolean readOnly, boolean autoCommit)
{
    /**
     * The mode of a statement outside of an explicit transaction.
     */
    public static final TransactionMode AUTO_COMMIT = new TransactionMode(false, true);

    /**
     * Checks that a statement may write.
     *
     * @throws TrinoException with the code and the message of the engine for other statements
     */
    void checkWrite(CatalogName catalogName)
    {
        if (readOnly) {
            throw new TrinoException(READ_ONLY_VIOLATION, "Cannot execute write in a read-only transaction");
        }
        if (!autoCommit) {
            throw new TrinoException(AUTOCOMMIT_WRITE_CONFLICT, "Catalog only supports writes using autocommit: " + catalogName);
        }
    }
}
