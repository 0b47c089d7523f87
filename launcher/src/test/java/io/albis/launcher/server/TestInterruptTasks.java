package io.albis.launcher.server;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class TestInterruptTasks
{
    @Test
    void testTasks()
    {
        List<String> done = new ArrayList<>();
        InterruptTasks tasks = new InterruptTasks();
        Runnable removed = () -> done.add("removed");
        tasks.add(removed);
        tasks.add(() -> done.add("task"));
        tasks.remove(removed);
        tasks.run();
        tasks.run();
        assertThat(done).containsExactly("task");
    }
}
