package io.albis.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * The entry points of Jazzer. Without Jazzer's agent, these tests read the committed corpus only.
 * {@code CONTRIBUTING.md} describes how to fuzz.
 */
final class TestFuzzing
{
    @FuzzTest(maxDuration = "10m")
    void testMetadata(byte[] input)
    {
        FuzzTargets.METADATA.check(input);
    }

    @FuzzTest(maxDuration = "10m")
    void testRowGroup(byte[] input)
    {
        FuzzTargets.ROW_GROUP.check(input);
    }

    @FuzzTest(maxDuration = "10m")
    void testIndex(byte[] input)
    {
        FuzzTargets.INDEX.check(input);
    }

    @FuzzTest(maxDuration = "10m")
    void testDeletes(byte[] input)
    {
        FuzzTargets.DELETES.check(input);
    }

    @FuzzTest(maxDuration = "10m")
    void testManifest(byte[] input)
    {
        FuzzTargets.MANIFEST.check(input);
    }

    @FuzzTest(maxDuration = "10m")
    void testVersion(byte[] input)
    {
        FuzzTargets.VERSION.check(input);
    }

    @FuzzTest(maxDuration = "10m")
    void testTableEntry(byte[] input)
    {
        FuzzTargets.TABLE_ENTRY.check(input);
    }

    @FuzzTest(maxDuration = "10m")
    void testSchemaEntry(byte[] input)
    {
        FuzzTargets.SCHEMA_ENTRY.check(input);
    }

    @FuzzTest(maxDuration = "10m")
    void testHint(byte[] input)
    {
        FuzzTargets.HINT.check(input);
    }

    @FuzzTest(maxDuration = "10m")
    void testExpiredVersion(byte[] input)
    {
        FuzzTargets.EXPIRED_VERSION.check(input);
    }

    @FuzzTest(maxDuration = "10m")
    void testWarehouse(byte[] input)
    {
        FuzzTargets.WAREHOUSE.check(input);
    }

    @FuzzTest(maxDuration = "10m")
    void testFolder(byte[] input)
    {
        FuzzTargets.FOLDER.check(input);
    }
}
