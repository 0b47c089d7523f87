package io.albis.launcher.sizing;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TestMetrics
{
    @Test
    void testParse()
    {
        Metrics metrics = Metrics.parse(
                """
                # TYPE JMX_java_lang_TYPE_OperatingSystem_ATTRIBUTE_ProcessCpuTime gauge
                JMX_java_lang_TYPE_OperatingSystem_ATTRIBUTE_ProcessCpuTime 1.5E9
                JMX_java_lang_TYPE_Memory_ATTRIBUTE_HeapMemoryUsage_used 1000
                JMX_java_lang_TYPE_Memory_ATTRIBUTE_HeapMemoryUsage_max 5000
                JMX_albis_trino_NAME_albis_TYPE_ScanStats_ATTRIBUTE_BytesRead_TotalCount 300
                JMX_albis_trino_NAME_other_TYPE_ScanStats_ATTRIBUTE_BytesRead_TotalCount 20
                JMX_albis_trino_NAME_albis_TYPE_ScanStats_ATTRIBUTE_Reads_TotalCount 7
                JMX_albis_trino_NAME_albis_TYPE_ScanStats_ATTRIBUTE_Rows_TotalCount 9
                JMX_io_trino_filesystem_s3_NAME_albis_TYPE_S3FileSystemStats_ATTRIBUTE_Total_Calls_TotalCount 11
                JMX_io_trino_filesystem_s3_NAME_albis_TYPE_S3FileSystemStats_ATTRIBUTE_GetObject_Calls_TotalCount 10
                # EOF
                """);
        assertThat(metrics).isEqualTo(new Metrics(1_500_000_000, 1000, 320, 7, 11));
    }

    @Test
    void testSince()
    {
        Metrics earlier = new Metrics(10, 900, 30, 4, 5);
        assertThat(new Metrics(15, 700, 130, 6, 5).since(earlier)).isEqualTo(new Metrics(5, 700, 100, 2, 0));
    }
}
