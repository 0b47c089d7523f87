package io.albis.trino;

import com.google.common.io.Resources;
import io.trino.testing.BaseConnectorTest;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingConnectorBehavior;

import java.io.IOException;
import java.util.Arrays;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * The behaviors that Trino's Iceberg connector declares for tables of the format version 3, which has more of them than
 * earlier versions. All that it does not name are those of any connector of this version of Trino. The names are those
 * of {@code BaseIcebergConnectorTest}, which is in no artifact: compare them again with each new version of Trino.
 */
final class IcebergBehaviors
        extends BaseConnectorTest
{
    /**
     * Returns the behaviors that the connector does not have.
     */
    static Set<TestingConnectorBehavior> missing()
    {
        IcebergBehaviors iceberg = new IcebergBehaviors();
        return Arrays.stream(TestingConnectorBehavior.values())
                .filter(behavior -> !iceberg.hasBehavior(behavior))
                .collect(toImmutableSet());
    }

    /**
     * Returns the behaviors for which the tests of any connector ask. The others are for databases.
     */
    static Set<TestingConnectorBehavior> checked()
            throws IOException
    {
        // the names of the constants that a class uses are in its constant pool, each after its tag and its length
        String content = new String(Resources.toByteArray(Resources.getResource(BaseConnectorTest.class, "BaseConnectorTest.class")), ISO_8859_1);
        return Arrays.stream(TestingConnectorBehavior.values())
                .filter(behavior -> content.contains("\1\0" + (char) behavior.name().length() + behavior.name()))
                .collect(toImmutableSet());
    }

    @Override
    protected boolean hasBehavior(TestingConnectorBehavior connectorBehavior)
    {
        return switch (connectorBehavior) {
            case SUPPORTS_CREATE_OR_REPLACE_TABLE,
                 SUPPORTS_DEFAULT_COLUMN_VALUE,
                 SUPPORTS_REPORTING_WRITTEN_BYTES -> true;
            case SUPPORTS_ADD_COLUMN_NOT_NULL_CONSTRAINT,
                 SUPPORTS_LIMIT_PUSHDOWN,
                 SUPPORTS_REFRESH_VIEW,
                 SUPPORTS_RENAME_MATERIALIZED_VIEW_ACROSS_SCHEMAS,
                 SUPPORTS_TOPN_PUSHDOWN -> false;
            default -> super.hasBehavior(connectorBehavior);
        };
    }

    @Override
    protected QueryRunner createQueryRunner()
    {
        throw new UnsupportedOperationException("only the behaviors are of interest");
    }
}
