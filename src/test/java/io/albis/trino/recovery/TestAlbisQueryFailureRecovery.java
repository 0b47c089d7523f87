package io.albis.trino.recovery;

import io.trino.operator.RetryPolicy;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class TestAlbisQueryFailureRecovery
        extends BaseAlbisFailureRecoveryTest
{
    protected TestAlbisQueryFailureRecovery()
    {
        super(RetryPolicy.QUERY);
    }
}
