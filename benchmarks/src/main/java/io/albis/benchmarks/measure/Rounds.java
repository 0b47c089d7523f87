package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableList;
import io.trino.testing.QueryFailedException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Runs each task on each catalog in every round. The catalogs take turns for each task, and each catalog is equally
 * often the first one. Changes in the speed of the machine therefore affect all catalogs alike. After each catalog was
 * the first one, their order is reversed, so that what one of them leaves behind, such as garbage on the heap, does not
 * always affect the same other one.
 */
public class Rounds
{
    private final int warmUps;
    private final int runs;
    private final List<Measurement> earlier;
    private final Progress progress;

    /**
     * Plans the rounds.
     *
     * @param warmUps number of rounds that do not count, before the others
     * @param earlier measurements of an earlier run with the same tasks and catalogs, whose completed rounds do not run
     *         again; empty if there is none
     */
    public Rounds(int warmUps, int runs, List<Measurement> earlier, Progress progress)
    {
        checkArgument(warmUps >= 0, "warmUps is negative");
        checkArgument(runs > 0, "runs is not positive");
        this.warmUps = warmUps;
        this.runs = runs;
        this.earlier = ImmutableList.copyOf(earlier);
        this.progress = requireNonNull(progress, "progress is null");
    }

    /**
     * Returns whether an earlier run has completed all rounds, so nothing remains to be run.
     */
    public boolean isComplete()
    {
        return completed() >= runs;
    }

    /**
     * Returns the number of completed rounds. Measurements are written only after a round, so the last one is complete.
     */
    private int completed()
    {
        return earlier.stream()
                .mapToInt(Measurement::round)
                .filter(round -> round > 0)
                .max()
                .orElse(0);
    }

    /**
     * Runs the tasks. A query that fails is recorded as a measurement. Any other failure, such as an unavailable
     * server, ends the run.
     *
     * @param afterRound receives all measurements so far after each round that is not a warm-up round
     */
    public void run(List<Task> tasks, List<String> catalogs, Consumer<List<Measurement>> afterRound)
    {
        int completed = completed();
        if (completed > 0) {
            progress.print("Continuing after round %s of %s".formatted(completed, runs));
        }
        List<Measurement> measurements = new ArrayList<>(earlier);
        for (int round = 1 - warmUps; round <= runs; round++) {
            if (round > 0 && round <= completed) {
                continue;
            }
            for (int index = 0; index < tasks.size(); index++) {
                for (String catalog : inTurn(catalogs, round + index)) {
                    if (!tasks.get(index).appliesTo(catalog)) {
                        continue;
                    }
                    Measurement measurement = run(tasks.get(index), catalog, round);
                    progress.report(measurement, runs);
                    measurements.add(measurement);
                }
            }
            if (round > 0) {
                afterRound.accept(ImmutableList.copyOf(measurements));
            }
        }
    }

    /**
     * Returns the catalogs in the order of a turn.
     *
     * @param turn number of the turn, which is negative for the first ones of several warm-up rounds
     */
    static List<String> inTurn(List<String> catalogs, int turn)
    {
        checkArgument(!catalogs.isEmpty(), "there are no catalogs");
        boolean reversed = Math.floorMod(Math.floorDiv(turn, catalogs.size()), 2) == 1;
        List<String> rotated = new ArrayList<>(reversed ? catalogs.reversed() : catalogs);
        Collections.rotate(rotated, -turn);
        return ImmutableList.copyOf(rotated);
    }

    private static Measurement run(Task task, String catalog, int round)
    {
        try {
            return Measurement.success(task.name(), catalog, round, task.run(catalog));
        }
        catch (QueryFailedException e) {
            return Measurement.failure(task.name(), catalog, round, String.valueOf(e.getMessage()));
        }
    }
}
