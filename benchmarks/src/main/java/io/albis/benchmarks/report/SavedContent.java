package io.albis.benchmarks.report;

/**
 * A part of a section of a saved report.
 */
public sealed interface SavedContent
        permits SavedLines, SavedTable
{
    /**
     * Returns the lines of this part, each with a line break.
     */
    String markdown();
}
