package io.albis.benchmarks.format.jmh;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TestPerfCounters
{
    @Test
    void testOutput()
    {
        assertThat(PerfCounters.areCounted("1234567,,instructions,834000,100.00,1.20,insn per cycle\n7654,,cache-misses,834000,100.00,,\n")).isTrue();
        assertThat(PerfCounters.areCounted("1234567,,instructions:u,834000,100.00,,\n7654,,cache-misses:u,834000,100.00,,\n")).isTrue();
        assertThat(PerfCounters.areCounted("<not supported>,,instructions,0,100.00,,\n<not supported>,,cache-misses,0,100.00,,\n")).isFalse();
        assertThat(PerfCounters.areCounted("1234567,,instructions,834000,100.00,,\n<not supported>,,cache-misses,0,100.00,,\n")).isFalse();
        assertThat(PerfCounters.areCounted("Error: no permission\n")).isFalse();
    }
}
