/**
 * Manifests, which are the files that list the row groups of a table with their bounds and sketches. A commit merges
 * manifests, so that their number stays small however many commits a table has. Start with {@link ManifestStorage},
 * then read {@link ManifestMerge}.
 */
package io.albis.table.manifest;
