package io.albis.format.layout.block;

import io.albis.format.run.RunBytes;
import io.albis.format.type.StorageType;

import java.util.Arrays;

/**
 * Selects rows of a run with outliers. A filter compares the narrow values of all other rows, and then the outliers.
 */
final class OutlierSelection
{
    private OutlierSelection() {}

    /**
     * Selects the rows whose values match.
     *
     * @param rows rows within the run, in ascending order; matching rows are moved to the front
     * @return number of matching rows
     */
    static int select(RunBytes run, StorageType storageType, IntegerSelector selector, int[] rows, int count)
    {
        Outliers outliers = new Outliers(run, storageType);
        // indexes of the outliers that are among the rows
        int[] tested = new int[outliers.count()];
        int testedCount = 0;
        int others = 0;
        int next = 0;
        for (int outlier = 0; outlier < outliers.count() && next < count; outlier++) {
            int position = outliers.position(outlier);
            int found = Arrays.binarySearch(rows, next, count, position);
            int end = found >= 0 ? found : -found - 1;
            System.arraycopy(rows, next, rows, others, end - next);
            others += end - next;
            next = end;
            if (found >= 0) {
                tested[testedCount] = outlier;
                testedCount++;
                next++;
            }
        }
        System.arraycopy(rows, next, rows, others, count - next);
        others += count - next;
        int selected = selector.select(new IntegerRun(run, storageType), rows, others);
        int matching = selector.select(new IntegerRun(outliers.asRun(), storageType), tested, testedCount);
        return merge(rows, selected, outliers, tested, matching);
    }

    /**
     * Inserts outliers into rows, from the last row to the first, so that no row is overwritten.
     */
    private static int merge(int[] rows, int count, Outliers outliers, int[] matching, int matchingCount)
    {
        int output = count + matchingCount;
        int row = count - 1;
        for (int i = matchingCount - 1; i >= 0; i--) {
            int position = outliers.position(matching[i]);
            while (row >= 0 && rows[row] > position) {
                output--;
                rows[output] = rows[row];
                row--;
            }
            output--;
            rows[output] = position;
        }
        return count + matchingCount;
    }
}
