/**
 * Deleted rows of row groups: sets of positions, and the files that contain them. Start with {@link DeletedPositions}.
 */
package io.albis.format.delete;
