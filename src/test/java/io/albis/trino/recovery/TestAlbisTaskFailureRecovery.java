package io.albis.trino.recovery;

import io.albis.RandomPart;
import io.trino.operator.RetryPolicy;
import org.junit.jupiter.api.Tag;

@RandomPart(divisor = 3)
@Tag("slow")
class TestAlbisTaskFailureRecovery
        extends BaseAlbisFailureRecoveryTest
{
    protected TestAlbisTaskFailureRecovery()
    {
        super(RetryPolicy.TASK);
    }
}
