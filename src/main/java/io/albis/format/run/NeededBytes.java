package io.albis.format.run;

/**
 * Tells which bytes of a run are needed.
 */
@FunctionalInterface
public interface NeededBytes
{
    /**
     * Adds the pages of the bytes.
     *
     * @param run the parameters of the run. Its bytes are not in memory, and its offset is 0
     */
    void addTo(RunPages pages, RunBytes run);
}
