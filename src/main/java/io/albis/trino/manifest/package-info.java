/**
 * Concurrent reads of manifests, and their cache in the memory of the coordinator. All identities share the cache, but
 * an identity gets only manifests that it can read itself. Start with {@link ManifestCache}.
 */
package io.albis.trino.manifest;
