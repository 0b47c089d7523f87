package io.albis.trino.manifest;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hasher;
import io.trino.filesystem.Location;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.spi.security.SelectedRole;

import java.security.Principal;

import static com.google.common.hash.Hashing.sha256;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An identity, reduced to what a file system may use for access control. It is stored as a hash because it includes
 * credentials.
 */
final class ManifestReader
{
    private final HashCode identity;

    ManifestReader(ConnectorIdentity identity)
    {
        Hasher hasher = sha256().newHasher();
        put(hasher, identity.getUser());
        put(hasher, identity.getPrincipal().map(Principal::toString).orElse(""));
        put(hasher, identity.getConnectorRole().map(SelectedRole::toString).orElse(""));
        putAll(hasher, ImmutableSortedSet.copyOf(identity.getGroups()));
        putAll(hasher, ImmutableSortedSet.copyOf(identity.getEnabledSystemRoles()));
        ImmutableSortedMap<String, String> credentials = ImmutableSortedMap.copyOf(identity.getExtraCredentials());
        putAll(hasher, credentials.keySet());
        putAll(hasher, credentials.values());
        this.identity = hasher.hash();
    }

    /**
     * Returns a hash of this identity and a file.
     */
    HashCode of(Location location)
    {
        return sha256().newHasher()
                .putBytes(identity.asBytes())
                .putString(location.toString(), UTF_8)
                .hash();
    }

    private static void putAll(Hasher hasher, Iterable<String> texts)
    {
        int count = 0;
        for (String text : texts) {
            put(hasher, text);
            count++;
        }
        hasher.putInt(count);
    }

    private static void put(Hasher hasher, String text)
    {
        // the length comes first, so that different sequences are always different bytes
        hasher.putInt(text.length()).putUnencodedChars(text);
    }
}
