package io.albis.trino.metadata;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import io.albis.trino.handle.AlbisTransactionHandle;
import io.albis.trino.procedure.TransactionMode;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Keeps one {@link AlbisMetadata} for each transaction, so that all parts of a query see the same version of a table.
 */
public class AlbisTransactionManager
{
    private final AlbisMetadataFactory metadataFactory;
    private final ClassLoader classLoader;
    private final ConcurrentMap<ConnectorTransactionHandle, Transaction> transactions = new ConcurrentHashMap<>();

    @Inject
    public AlbisTransactionManager(AlbisMetadataFactory metadataFactory, ClassLoader classLoader)
    {
        this.metadataFactory = requireNonNull(metadataFactory, "metadataFactory is null");
        this.classLoader = requireNonNull(classLoader, "classLoader is null");
    }

    public ConnectorTransactionHandle begin(TransactionMode mode)
    {
        AlbisTransactionHandle handle = new AlbisTransactionHandle(UUID.randomUUID());
        transactions.put(handle, new Transaction(mode));
        return handle;
    }

    /**
     * Returns the metadata of a transaction, which is created for the session of the first call.
     */
    public AlbisMetadata get(ConnectorTransactionHandle handle, ConnectorSession session)
    {
        Transaction transaction = transactions.get(handle);
        checkArgument(transaction != null, "no such transaction: %s", handle);
        return transaction.get(session);
    }

    /**
     * Notes that a statement of a transaction needs the privilege to insert rows.
     */
    public void noteInsert(ConnectorTransactionHandle handle)
    {
        find(handle).ifPresent(AlbisMetadata::noteInsert);
    }

    /**
     * Notes that a statement of a transaction needs the privilege to update rows.
     */
    public void noteUpdate(ConnectorTransactionHandle handle)
    {
        find(handle).ifPresent(AlbisMetadata::noteUpdate);
    }

    /**
     * Returns the metadata of a transaction; empty if the transaction has not accessed a table yet.
     */
    private Optional<AlbisMetadata> find(ConnectorTransactionHandle handle)
    {
        return Optional.ofNullable(transactions.get(handle)).flatMap(Transaction::find);
    }

    public void commit(ConnectorTransactionHandle handle)
    {
        end(handle);
    }

    public void rollback(ConnectorTransactionHandle handle)
    {
        end(handle).find().ifPresent(metadata -> {
            try (ThreadContextClassLoader _ = new ThreadContextClassLoader(classLoader)) {
                metadata.rollback();
            }
        });
    }

    private Transaction end(ConnectorTransactionHandle handle)
    {
        Transaction transaction = transactions.remove(handle);
        checkArgument(transaction != null, "no such transaction: %s", handle);
        transaction.find().ifPresent(AlbisMetadata::end);
        return transaction;
    }

    private class Transaction
    {
        private final TransactionMode mode;
        @GuardedBy("this")
        private Optional<AlbisMetadata> metadata = Optional.empty();

        private Transaction(TransactionMode mode)
        {
            this.mode = requireNonNull(mode, "mode is null");
        }

        public synchronized Optional<AlbisMetadata> find()
        {
            return metadata;
        }

        public synchronized AlbisMetadata get(ConnectorSession session)
        {
            if (metadata.isEmpty()) {
                try (ThreadContextClassLoader _ = new ThreadContextClassLoader(classLoader)) {
                    metadata = Optional.of(metadataFactory.create(session, mode));
                }
            }
            return metadata.get();
        }
    }
}
