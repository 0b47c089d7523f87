package io.albis.launcher.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What remains to be done if Ctrl-C interrupts the launcher. All shutdown hooks of a JVM run at the same time, so a
 * task that needs a server of this process must not be a hook of its own: the hook that stops the server runs it first.
 */
public final class InterruptTasks
{
    private final Set<Runnable> tasks = ConcurrentHashMap.newKeySet();

    InterruptTasks() {}

    /**
     * Returns tasks that do not depend on a server of this process.
     */
    public static InterruptTasks ofProcess()
    {
        InterruptTasks tasks = new InterruptTasks();
        Runtime.getRuntime().addShutdownHook(new Thread(tasks::run, "interrupt-tasks"));
        return tasks;
    }

    public void add(Runnable task)
    {
        tasks.add(task);
    }

    /**
     * Removes a task, unless it runs already.
     */
    public void remove(Runnable task)
    {
        tasks.remove(task);
    }

    void run()
    {
        for (Runnable task : tasks) {
            if (tasks.remove(task)) {
                task.run();
            }
        }
    }
}
