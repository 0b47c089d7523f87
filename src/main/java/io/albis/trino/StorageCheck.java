package io.albis.trino;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.metadata.AlbisMetadataFactory;
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
 * Checks whether commits to the storage of the warehouse are safe when a catalog starts. The catalog does not start if
 * its storage loses commits. It does start if the storage does not answer or is read-only, because the first write
 * repeats the check.
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
     * Runs the check and waits at most 10 seconds for its result.
     *
     * @throws TrinoException with code NOT_SUPPORTED if the storage is known to lose commits
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
            log.warn("The storage of %s did not answer within %s seconds. The first write checks again whether commits to it are safe", config.warehouseLocation(), WAIT_SECONDS);
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
     * Returns whether the storage is checked when the catalog starts. The check writes a file, and on a file system
     * with folders the first file creates the folder of the warehouse. That folder must belong to the user that writes
     * tables, so these file systems are checked by the first write instead.
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
        catch (RuntimeException e) {
            if (e instanceof TrinoException failure && failure.getErrorCode().equals(NOT_SUPPORTED.toErrorCode())) {
                throw failure;
            }
            // Clients of the storage have exceptions of their own, for example for missing credentials
            log.warn(e, "Cannot check whether commits to the storage of %s are safe. The first write checks again", config.warehouseLocation());
        }
    }
}
