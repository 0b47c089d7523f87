package io.albis.trino.manifest;

import io.airlift.units.DataSize;
import io.albis.format.io.AlbisDataException;
import io.albis.table.Warehouse;
import io.albis.table.manifest.Manifest;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.manifest.ManifestSource.ManifestFile;
import io.albis.table.model.ManifestEntry;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.spi.security.ConnectorIdentity;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.UUID;

import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.units.DataSize.Unit.BYTE;
import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestManifestCache
        extends BaseManifestCacheTest
{
    private static final ConnectorIdentity BOB = ConnectorIdentity.ofUser("bob");

    @Test
    void testReadOnce()
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), executor);
        AlbisTable table = createTable(5);
        for (int query = 0; query < 3; query++) {
            AlbisTable loaded = load(cache, ALICE);
            assertThat(loaded.rowGroups()).containsExactlyElementsOf(table.rowGroups());
            loaded.sketches();
            assertThat(reads).hasValue(5);
        }
        // Another query gets the same objects
        assertThat(load(cache, ALICE).rowGroups().getFirst()).isSameAs(load(cache, ALICE).rowGroups().getFirst());
        assertThat(load(cache, ALICE).sketches()).isSameAs(load(cache, ALICE).sketches());
        assertThat(cache.getStats().size()).isEqualTo(6);
        assertThat(cache.getStats().getHitRate()).isPositive();
    }

    @Test
    void testFlush()
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), executor);
        createTable(5);
        load(cache, ALICE).rowGroups();
        cache.flush();
        assertThat(cache.getStats().size()).isZero();
        assertThat(load(cache, ALICE).rowGroups()).hasSize(5);
        assertThat(reads).hasValue(10);
    }

    @Test
    void testTurnedOff()
    {
        ManifestCache cache = new ManifestCache(DataSize.of(0, BYTE), executor);
        createTable(5);
        load(cache, ALICE).rowGroups();
        load(cache, ALICE).rowGroups();
        assertThat(reads).hasValue(10);
        assertThat(cache.getStats().size()).isZero();
    }

    @Test
    void testAppendsReadWhatIsNew()
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), executor);
        createTable(5);
        load(cache, ALICE).rowGroups();
        reads.set(0);
        append(warehouse(cache, ALICE));
        assertThat(load(cache, ALICE).rowGroups()).hasSize(6);
        assertThat(reads).hasValue(1);
        // A merge reads only the manifest that is not cached: the one just written
        append(warehouse(cache, ALICE));
        append(warehouse(cache, ALICE));
        assertThat(load(cache, ALICE).version().manifests()).hasSize(1);
        assertThat(reads).hasValue(2);
        assertThat(load(cache, ALICE).rowGroups()).hasSize(8);
    }

    /**
     * With impersonation on HDFS, for example, each user has a file system that refuses other users' files.
     */
    @Test
    void testIdentityThatMayNotRead()
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), executor);
        createTable(1);
        load(cache, ALICE).rowGroups();
        refusing.set(true);
        assertThat(load(cache, ALICE).rowGroups()).hasSize(1);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> load(cache, BOB).rowGroups())
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("Permission denied");
            assertThatThrownBy(() -> load(cache, BOB).sketches())
                    .hasMessageContaining("Permission denied");
        }
        // The file system may also check extra credentials
        assertThatThrownBy(() -> load(cache, ConnectorIdentity.forUser("alice").withExtraCredentials(Map.of("role", "other")).build()).rowGroups())
                .hasMessageContaining("Permission denied");

        refusing.set(false);
        reads.set(0);
        assertThat(load(cache, BOB).rowGroups()).hasSize(1);
        assertThat(load(cache, BOB).rowGroups()).hasSize(1);
        // One byte, and only once
        assertThat(reads).hasValue(1);
    }

    @Test
    void testFailuresAndDamageAreNotKept()
            throws IOException
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), executor);
        AlbisTable table = createTable(1);
        refusing.set(true);
        assertThatThrownBy(() -> load(cache, ALICE).rowGroups()).hasMessageContaining("Permission denied");
        refusing.set(false);
        Location location = manifest(table, table.version().manifests().getLast());
        byte[] good = read(location);
        byte[] bad = good.clone();
        bad[good.length / 2]++;
        files.newOutputFile(location).createOrOverwrite(bad);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> load(cache, ALICE).rowGroups())
                    .cause().isInstanceOf(AlbisDataException.class)
                    .hasMessageContaining(location.toString());
        }
        files.newOutputFile(location).createOrOverwrite(good);
        assertThat(load(cache, ALICE).rowGroups()).hasSize(1);
    }

    /**
     * A cached manifest is checked against the version in the same way as a file.
     */
    @Test
    void testManifestOfAnother()
            throws IOException
    {
        ManifestCache cache = new ManifestCache(DataSize.of(1, MEGABYTE), executor);
        AlbisTable table = createTable(1);
        load(cache, ALICE).rowGroups();
        ManifestEntry entry = table.version().manifests().getFirst();
        Location location = manifest(table, entry);
        Manifest kept = cache.forIdentity(ALICE).get(location, new Unreadable());
        assertThat(kept.table()).isEqualTo(table.uuid());
        assertThat(kept.length()).isEqualTo(entry.length());

        // A table with another id in the same folder
        Warehouse warehouse = warehouse(cache, ALICE);
        assertThatThrownBy(() -> warehouse.loadTableVersion("s", "t", table.folder(), UUID.randomUUID(), 1).rowGroups())
                .hasMessageContaining("belongs to table");
        // The same id in another folder is another file
        assertThatThrownBy(() -> cache.forIdentity(ALICE).get(Location.of("memory:///copy/manifests/" + entry.id()), new Unreadable()))
                .hasMessage("read");
    }

    @Test
    void testBounded()
            throws IOException
    {
        DataSize maxSize = DataSize.of(64, KILOBYTE);
        ManifestCache cache = new ManifestCache(maxSize, executor);
        createTable(1);
        AlbisTable table = load(cache, ALICE);
        assertThat(table.rowGroups()).hasSize(1);
        Manifest manifest = cache.forIdentity(ALICE).get(manifest(table, table.version().manifests().getFirst()), new Unreadable());
        long entrySize = manifest.retainedSize();
        ManifestSource source = cache.forIdentity(ALICE);
        for (int i = 0; i < 1000; i++) {
            source.get(Location.of("memory:///" + i), new ManifestFile()
            {
                @Override
                public Manifest read()
                {
                    return manifest;
                }

                @Override
                public void checkReadable() {}
            });
        }
        assertThat(cache.getStats().size() * entrySize).isPositive().isLessThan(maxSize.toBytes());
        assertThat(entrySize).isGreaterThan(instanceSize(Manifest.class) + table.version().manifests().getFirst().length());
    }

    private static final class Unreadable
            implements ManifestFile
    {
        @Override
        public Manifest read()
                throws IOException
        {
            throw new IOException("read");
        }

        @Override
        public void checkReadable()
                throws IOException
        {
            throw new IOException("check");
        }
    }

    private static Location manifest(AlbisTable table, ManifestEntry entry)
    {
        return table.folder().appendPath("manifests").appendPath(entry.id().toString());
    }

    private byte[] read(Location location)
            throws IOException
    {
        return files.newInputFile(location).newStream().readAllBytes();
    }
}
