package io.albis.trino.recovery;

import io.trino.operator.RetryPolicy;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class TestAlbisTaskFailureRecovery
        extends BaseAlbisFailureRecoveryTest
{
    protected TestAlbisTaskFailureRecovery()
    {
        super(RetryPolicy.TASK);
    }
}
