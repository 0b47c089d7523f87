package io.albis.table.model;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;

import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A hash of the columns and rows of a version. Versions that differ only in the name of the table, properties,
 * comments, or tags have the same one, and so have versions of which others have expired.
 */
public final class ContentHash
{
    private ContentHash() {}

    /**
     * Returns 64 hexadecimal digits.
     */
    public static String of(TableVersion version)
    {
        Hasher hasher = Hashing.sha256().newHasher();
        putUuid(hasher, version.uuid());
        hasher.putInt(version.schemaId());
        // A new name does not change the schema id
        for (TableColumn column : version.columns()) {
            byte[] name = column.name().getBytes(UTF_8);
            hasher.putInt(column.id()).putInt(name.length).putBytes(name);
        }
        for (ManifestEntry manifest : version.manifests()) {
            putUuid(hasher, manifest.id());
            hasher.putInt(manifest.removed().size());
            manifest.removed().forEach(hasher::putInt);
        }
        return hasher.hash().toString();
    }

    private static void putUuid(Hasher hasher, UUID uuid)
    {
        hasher.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    }
}
