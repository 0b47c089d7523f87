package io.albis.table.maintenance;

import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;

/**
 * The content of a folder that has the name of a table folder.
 */
sealed interface FolderContent
{
    /**
     * A table that was not dropped.
     *
     * @param name its name, or its last one, which need not refer to it
     */
    record Table(TableVersion newest, TableName name)
            implements FolderContent {}

    /**
     * A table that was dropped.
     *
     * @param newest the newest version, which has no name
     */
    record Dropped(TableVersion newest)
            implements FolderContent {}

    /**
     * A table whose newest version cannot be read.
     */
    record Damaged()
            implements FolderContent {}

    /**
     * Row groups of a load that runs or has failed before its first version.
     */
    record Load(FolderFiles files)
            implements FolderContent {}

    /**
     * A folder that is none of these, or belongs to another warehouse or to a newer version of Albis.
     */
    record Other()
            implements FolderContent {}
}
