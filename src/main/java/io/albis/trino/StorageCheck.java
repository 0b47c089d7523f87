package io.albis.trino;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.trino.spi.ErrorCode;
import io.trino.spi.TrinoException;
import io.trino.spi.security.ConnectorIdentity;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/**
 * Asks the storage of the warehouse, when a catalog starts, whether commits are safe there. A catalog whose storage
 * would lose them does not start. One whose storage does not answer, or may only be read, does: the first write asks
 * again.
 */
class StorageCheck
{
    private static final Logger log = Logger.get(StorageCheck.class);
    private static final long WAIT_SECONDS = 10;

    private final AlbisConfig config;
    private final AlbisMetadataFactory metadataFactory;
    private final ClassLoader classLoader;

    @Inject
    public StorageCheck(AlbisConfig config, AlbisMetadataFactory metadataFactory, ClassLoader classLoader)
    {
        this.config = requireNonNull(config, "config is null");
        this.metadataFactory = requireNonNull(metadataFactory, "metadataFactory is null");
        this.classLoader = requireNonNull(classLoader, "classLoader is null");
    }

    /**
     * @throws TrinoException if the storage certainly loses commits
     */
    public void run()
    {
        if (!isAskedAtStart()) {
            return;
        }
        CompletableFuture<Void> check = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().daemon().name("albis-storage-check").unstarted(() -> {
            try {
                check();
                check.complete(null);
            }
            catch (RuntimeException | Error e) {
                check.completeExceptionally(e);
            }
        });
        thread.setContextClassLoader(classLoader);
        thread.start();
        try {
            check.get(WAIT_SECONDS, TimeUnit.SECONDS);
        }
        catch (TimeoutException e) {
            log.warn("The storage of %s does not answer yet. The first write asks it again whether commits are safe there", config.warehouseLocation());
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        catch (ExecutionException e) {
            throwIfUnchecked(e.getCause());
            throw new IllegalStateException(e.getCause());
        }
    }

    /**
     * On a file system with folders the first file makes the folder of the warehouse, which has to belong to who
     * writes.
     */
    private boolean isAskedAtStart()
    {
        return switch (config.warehouseLocation().scheme().orElseThrow()) {
            case "local", "file", "hdfs" -> false;
            default -> true;
        };
    }

    private void check()
    {
        try {
            metadataFactory.checkStorage(ConnectorIdentity.ofUser("albis"));
        }
        catch (TrinoException e) {
            ErrorCode code = e.getErrorCode();
            if (code.equals(NOT_SUPPORTED.toErrorCode())) {
                throw e;
            }
            log.warn(e, "The storage of %s could not be asked whether commits are safe there. The first write asks it again", config.warehouseLocation());
        }
    }
}
