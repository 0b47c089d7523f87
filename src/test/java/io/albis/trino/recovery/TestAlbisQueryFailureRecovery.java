package io.albis.trino.recovery;

import io.albis.RandomPart;
import io.trino.operator.RetryPolicy;
import org.junit.jupiter.api.Tag;

@RandomPart(divisor = 3)
@Tag("slow")
class TestAlbisQueryFailureRecovery
        extends BaseAlbisFailureRecoveryTest
{
    protected TestAlbisQueryFailureRecovery()
    {
        super(RetryPolicy.QUERY);
    }
}
