package io.albis.filesystem;

import java.io.IOException;

/**
 * Decides which calls reach a storage, and which of their results come back.
 */
public interface StorageGate
{
    interface Call<T>
    {
        T call()
                throws IOException;
    }

    interface Action
    {
        void run()
                throws IOException;
    }

    /**
     * Makes a call that changes nothing.
     *
     * @throws IOException if the call does not reach the storage, or its result does not come back
     */
    <T> T read(Call<T> call)
            throws IOException;

    /**
     * Makes a call that changes what is stored, as a whole or not at all.
     *
     * @throws IOException if the call does not reach the storage, or its result does not come back
     */
    <T> T change(Call<T> call)
            throws IOException;

    /**
     * Makes a call without a result, as {@link #change} does.
     */
    default void changeBy(Action action)
            throws IOException
    {
        change(() -> {
            action.run();
            return null;
        });
    }
}
