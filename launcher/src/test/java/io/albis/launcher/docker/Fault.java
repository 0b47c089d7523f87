package io.albis.launcher.docker;

import static java.util.Objects.requireNonNull;

/**
 * A fault that is injected during a test and removed again at most once.
 */
final class Fault
        implements AutoCloseable
{
    private final Action begin;
    private final Action end;
    private boolean present;

    Fault(Action begin, Action end)
    {
        this.begin = requireNonNull(begin, "begin is null");
        this.end = requireNonNull(end, "end is null");
    }

    void begin()
            throws Exception
    {
        present = true;
        begin.run();
    }

    @Override
    public void close()
            throws Exception
    {
        if (present) {
            present = false;
            end.run();
        }
    }

    interface Action
    {
        void run()
                throws Exception;
    }
}
