package io.albis.table.model;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.albis.table.model.ViewDefinition.PathSchema;
import io.albis.table.model.ViewDefinition.ViewColumn;

import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Hashes of what a refresh of a materialized view has read.
 */
public final class ContentHash
{
    private ContentHash() {}

    /**
     * Returns a hash of the columns and rows of a version, as 64 hexadecimal digits. Versions that differ only in the
     * name of the table, properties, comments, or tags have the same one, and so have versions of which others have
     * expired.
     */
    public static String of(TableVersion version)
    {
        Hasher hasher = Hashing.sha256().newHasher();
        putUuid(hasher, version.uuid());
        hasher.putInt(version.schemaId());
        // A new name does not change the schema id
        for (TableColumn column : version.columns()) {
            hasher.putInt(column.id());
            putText(hasher, column.name());
        }
        for (ManifestEntry manifest : version.manifests()) {
            putUuid(hasher, manifest.id());
            hasher.putInt(manifest.removed().size());
            manifest.removed().forEach(hasher::putInt);
        }
        return hasher.hash().toString();
    }

    /**
     * Returns a hash of the query of a view, and of what it means, as 64 hexadecimal digits. Definitions that differ
     * only in comments, or in when the rows of a materialized view may be used, have the same one.
     */
    public static String of(ViewDefinition view)
    {
        Hasher hasher = Hashing.sha256().newHasher();
        putText(hasher, view.sql());
        // No name is empty
        putText(hasher, view.catalog().orElse(""));
        putText(hasher, view.schema().orElse(""));
        putText(hasher, view.owner().orElse(""));
        hasher.putInt(view.columns().size());
        for (ViewColumn column : view.columns()) {
            putText(hasher, column.name());
            putText(hasher, column.type());
        }
        for (PathSchema schema : view.path()) {
            putText(hasher, schema.catalog());
            putText(hasher, schema.schema());
        }
        return hasher.hash().toString();
    }

    private static void putText(Hasher hasher, String text)
    {
        byte[] bytes = text.getBytes(UTF_8);
        hasher.putInt(bytes.length).putBytes(bytes);
    }

    private static void putUuid(Hasher hasher, UUID uuid)
    {
        hasher.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    }
}
