package io.albis.trino.config;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.albis.format.write.WriterOptions;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.plugin.base.session.PropertyMetadataUtil.dataSizeProperty;
import static io.trino.plugin.base.session.PropertyMetadataUtil.durationProperty;
import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.doubleProperty;
import static io.trino.spi.session.PropertyMetadata.enumProperty;
import static io.trino.spi.session.PropertyMetadata.integerProperty;
import static io.trino.spi.session.PropertyMetadata.longProperty;
import static java.lang.Math.toIntExact;

/**
 * Session properties of a catalog. Their defaults are the configuration properties of the catalog.
 */
public class AlbisSessionProperties
        implements SessionPropertiesProvider
{
    public static final String ROW_GROUP_PRUNING = "row_group_pruning";
    public static final String SEGMENT_PRUNING = "segment_pruning";
    public static final String ROW_FILTERING = "row_filtering";
    public static final String EXPRESSION_FILTERING = "expression_filtering";
    public static final String PROJECTION_PUSHDOWN_ENABLED = "projection_pushdown_enabled";
    public static final String AGGREGATION_PUSHDOWN_ENABLED = "aggregation_pushdown_enabled";
    public static final String LIMIT_PUSHDOWN_ENABLED = "limit_pushdown_enabled";
    public static final String TOPN_PUSHDOWN_ENABLED = "topn_pushdown_enabled";
    public static final String SAMPLE_PUSHDOWN_ENABLED = "sample_pushdown_enabled";
    public static final String BUCKET_EXECUTION_ENABLED = "bucket_execution_enabled";
    public static final String DYNAMIC_ROW_FILTERING = "dynamic_row_filtering";
    public static final String LAZY_READING = "lazy_reading";
    public static final String INDEX_ENABLED = "index_enabled";
    public static final String MAX_SPLIT_SIZE = "max_split_size";
    public static final String NARROW_WIDTHS = "narrow_widths";
    public static final String DICTIONARIES = "dictionaries";
    public static final String READ_AHEAD = "read_ahead";
    public static final String READ_AHEAD_MAX_SIZE = "read_ahead_max_size";
    public static final String SPLIT_LOCALITY = "split_locality";
    public static final String ROW_GROUP_SIZE = "row_group_size";
    public static final String ROW_GROUP_ROWS = "row_group_rows";
    public static final String SEGMENT_SIZE = "segment_size";
    public static final String UPDATE_REWRITE_THRESHOLD = "update_rewrite_threshold";
    public static final String UPDATE_BUFFER_SIZE = "update_buffer_size";
    public static final String SORT_BUFFER_SIZE = "sort_buffer_size";
    public static final String PARTITION_BUFFER_SIZE = "partition_buffer_size";
    public static final String DOMAIN_COMPACTION_THRESHOLD = "domain_compaction_threshold";
    public static final String DYNAMIC_FILTERING_WAIT_TIMEOUT = "dynamic_filtering_wait_timeout";

    private final List<PropertyMetadata<?>> sessionProperties;

    @Inject
    public AlbisSessionProperties(AlbisConfig config, AlbisReadConfig readConfig)
    {
        sessionProperties = ImmutableList.<PropertyMetadata<?>>builder()
                .addAll(filterProperties(config, readConfig))
                .addAll(readProperties(config, readConfig))
                .addAll(writeProperties(config))
                .addAll(ThresholdSessionProperties.PROPERTIES)
                .build();
    }

    /**
     * Returns the properties that decide which rows are read.
     */
    private static List<PropertyMetadata<?>> filterProperties(AlbisConfig config, AlbisReadConfig readConfig)
    {
        return ImmutableList.<PropertyMetadata<?>>builder()
                .add(booleanProperty(
                        ROW_GROUP_PRUNING,
                        PropertyDescriptions.ROW_GROUP_PRUNING,
                        config.isRowGroupPruning(),
                        false))
                .add(booleanProperty(
                        SEGMENT_PRUNING,
                        PropertyDescriptions.SEGMENT_PRUNING,
                        config.isSegmentPruning(),
                        false))
                .add(booleanProperty(
                        ROW_FILTERING,
                        PropertyDescriptions.ROW_FILTERING,
                        config.isRowFiltering(),
                        false))
                .add(booleanProperty(
                        EXPRESSION_FILTERING,
                        PropertyDescriptions.EXPRESSION_FILTERING,
                        readConfig.isExpressionFiltering(),
                        false))
                .add(booleanProperty(
                        PROJECTION_PUSHDOWN_ENABLED,
                        PropertyDescriptions.PROJECTION_PUSHDOWN_ENABLED,
                        config.isProjectionPushdownEnabled(),
                        false))
                .add(booleanProperty(
                        AGGREGATION_PUSHDOWN_ENABLED,
                        PropertyDescriptions.AGGREGATION_PUSHDOWN_ENABLED,
                        readConfig.isAggregationPushdownEnabled(),
                        false))
                .add(booleanProperty(
                        LIMIT_PUSHDOWN_ENABLED,
                        PropertyDescriptions.LIMIT_PUSHDOWN_ENABLED,
                        readConfig.isLimitPushdownEnabled(),
                        false))
                .add(booleanProperty(
                        TOPN_PUSHDOWN_ENABLED,
                        PropertyDescriptions.TOPN_PUSHDOWN_ENABLED,
                        readConfig.isTopNPushdownEnabled(),
                        false))
                .add(booleanProperty(
                        SAMPLE_PUSHDOWN_ENABLED,
                        PropertyDescriptions.SAMPLE_PUSHDOWN_ENABLED,
                        readConfig.isSamplePushdownEnabled(),
                        false))
                .add(booleanProperty(
                        DYNAMIC_ROW_FILTERING,
                        PropertyDescriptions.DYNAMIC_ROW_FILTERING,
                        config.isDynamicRowFiltering(),
                        false))
                .add(durationProperty(
                        DYNAMIC_FILTERING_WAIT_TIMEOUT,
                        PropertyDescriptions.DYNAMIC_FILTERING_WAIT_TIMEOUT,
                        config.getDynamicFilteringWaitTimeout(),
                        false))
                .add(integerProperty(
                        DOMAIN_COMPACTION_THRESHOLD,
                        PropertyDescriptions.DOMAIN_COMPACTION_THRESHOLD,
                        readConfig.getDomainCompactionThreshold(),
                        value -> {
                            if (value < 1) {
                                throw new TrinoException(INVALID_SESSION_PROPERTY, "%s must be at least 1: %s".formatted(DOMAIN_COMPACTION_THRESHOLD, value));
                            }
                        },
                        false))
                .build();
    }

    /**
     * Returns the properties that decide how rows are read.
     */
    private static List<PropertyMetadata<?>> readProperties(AlbisConfig config, AlbisReadConfig readConfig)
    {
        return ImmutableList.<PropertyMetadata<?>>builder()
                .add(booleanProperty(
                        LAZY_READING,
                        PropertyDescriptions.LAZY_READING,
                        config.isLazyReading(),
                        false))
                .add(booleanProperty(
                        INDEX_ENABLED,
                        PropertyDescriptions.INDEX_ENABLED,
                        config.isIndexEnabled(),
                        false))
                .add(enumProperty(
                        READ_AHEAD,
                        PropertyDescriptions.READ_AHEAD,
                        ReadAhead.class,
                        readConfig.getReadAhead(),
                        false))
                .add(dataSizeProperty(
                        READ_AHEAD_MAX_SIZE,
                        PropertyDescriptions.READ_AHEAD_MAX_SIZE,
                        readConfig.getReadAheadMaxSize(),
                        value -> ReaderLimits.checkReadAheadMaxSize(INVALID_SESSION_PROPERTY, READ_AHEAD_MAX_SIZE, value),
                        false))
                .add(dataSizeProperty(
                        MAX_SPLIT_SIZE,
                        PropertyDescriptions.MAX_SPLIT_SIZE,
                        config.getMaxSplitSize(),
                        value -> ReaderLimits.checkMaxSplitSize(INVALID_SESSION_PROPERTY, MAX_SPLIT_SIZE, value),
                        false))
                .add(booleanProperty(
                        BUCKET_EXECUTION_ENABLED,
                        PropertyDescriptions.BUCKET_EXECUTION_ENABLED,
                        readConfig.isBucketExecutionEnabled(),
                        false))
                .add(enumProperty(
                        SPLIT_LOCALITY,
                        PropertyDescriptions.SPLIT_LOCALITY,
                        SplitLocality.class,
                        readConfig.getSplitLocality(),
                        false))
                .build();
    }

    /**
     * Returns the properties that decide how rows are written.
     */
    private static List<PropertyMetadata<?>> writeProperties(AlbisConfig config)
    {
        return ImmutableList.<PropertyMetadata<?>>builder()
                .add(dataSizeProperty(
                        ROW_GROUP_SIZE,
                        PropertyDescriptions.ROW_GROUP_SIZE + PropertyDescriptions.SESSION_DEFAULT,
                        config.getRowGroupSize(),
                        value -> WriterLimits.checkRowGroupSize(INVALID_SESSION_PROPERTY, ROW_GROUP_SIZE, value),
                        false))
                .add(longProperty(
                        ROW_GROUP_ROWS,
                        PropertyDescriptions.ROW_GROUP_ROWS + PropertyDescriptions.SESSION_DEFAULT,
                        config.getRowGroupRows(),
                        value -> WriterLimits.checkRowGroupRows(INVALID_SESSION_PROPERTY, ROW_GROUP_ROWS, value),
                        false))
                .add(dataSizeProperty(
                        SEGMENT_SIZE,
                        PropertyDescriptions.SEGMENT_SIZE + PropertyDescriptions.SESSION_DEFAULT,
                        config.getSegmentSize(),
                        value -> WriterLimits.checkSegmentSize(INVALID_SESSION_PROPERTY, SEGMENT_SIZE, value),
                        false))
                .add(booleanProperty(
                        NARROW_WIDTHS,
                        PropertyDescriptions.NARROW_WIDTHS,
                        config.isNarrowWidths(),
                        false))
                .add(booleanProperty(
                        DICTIONARIES,
                        PropertyDescriptions.DICTIONARIES,
                        config.isDictionaries(),
                        false))
                .add(doubleProperty(
                        UPDATE_REWRITE_THRESHOLD,
                        PropertyDescriptions.UPDATE_REWRITE_THRESHOLD,
                        config.getUpdateRewriteThreshold(),
                        value -> WriterLimits.checkUpdateRewriteThreshold(INVALID_SESSION_PROPERTY, UPDATE_REWRITE_THRESHOLD, value),
                        false))
                .add(dataSizeProperty(
                        UPDATE_BUFFER_SIZE,
                        PropertyDescriptions.UPDATE_BUFFER_SIZE,
                        config.getUpdateBufferSize(),
                        value -> WriterLimits.checkUpdateBufferSize(INVALID_SESSION_PROPERTY, UPDATE_BUFFER_SIZE, value),
                        false))
                .add(dataSizeProperty(
                        SORT_BUFFER_SIZE,
                        PropertyDescriptions.SORT_BUFFER_SIZE,
                        config.getSortBufferSize(),
                        value -> WriterLimits.checkSortBufferSize(INVALID_SESSION_PROPERTY, SORT_BUFFER_SIZE, value),
                        false))
                .add(dataSizeProperty(
                        PARTITION_BUFFER_SIZE,
                        PropertyDescriptions.PARTITION_BUFFER_SIZE,
                        config.getPartitionBufferSize(),
                        value -> WriterLimits.checkPartitionBufferSize(INVALID_SESSION_PROPERTY, PARTITION_BUFFER_SIZE, value),
                        false))
                .build();
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return sessionProperties;
    }

    public static boolean isRowGroupPruning(ConnectorSession session)
    {
        return session.getProperty(ROW_GROUP_PRUNING, Boolean.class);
    }

    public static boolean isSegmentPruning(ConnectorSession session)
    {
        return session.getProperty(SEGMENT_PRUNING, Boolean.class);
    }

    public static boolean isRowFiltering(ConnectorSession session)
    {
        return session.getProperty(ROW_FILTERING, Boolean.class);
    }

    /**
     * Returns whether expressions are evaluated for distinct values, and alternatives over several columns are used.
     * The filtering of rows implies both.
     */
    public static boolean isExpressionFiltering(ConnectorSession session)
    {
        return isRowFiltering(session) && session.getProperty(EXPRESSION_FILTERING, Boolean.class);
    }

    public static int getDomainCompactionThreshold(ConnectorSession session)
    {
        return session.getProperty(DOMAIN_COMPACTION_THRESHOLD, Integer.class);
    }

    public static boolean isProjectionPushdownEnabled(ConnectorSession session)
    {
        return session.getProperty(PROJECTION_PUSHDOWN_ENABLED, Boolean.class);
    }

    public static boolean isAggregationPushdownEnabled(ConnectorSession session)
    {
        return session.getProperty(AGGREGATION_PUSHDOWN_ENABLED, Boolean.class);
    }

    public static boolean isLimitPushdownEnabled(ConnectorSession session)
    {
        return session.getProperty(LIMIT_PUSHDOWN_ENABLED, Boolean.class);
    }

    public static boolean isTopNPushdownEnabled(ConnectorSession session)
    {
        return session.getProperty(TOPN_PUSHDOWN_ENABLED, Boolean.class);
    }

    public static boolean isSamplePushdownEnabled(ConnectorSession session)
    {
        return session.getProperty(SAMPLE_PUSHDOWN_ENABLED, Boolean.class);
    }

    public static boolean isBucketExecutionEnabled(ConnectorSession session)
    {
        return session.getProperty(BUCKET_EXECUTION_ENABLED, Boolean.class);
    }

    public static boolean isDynamicRowFiltering(ConnectorSession session)
    {
        return session.getProperty(DYNAMIC_ROW_FILTERING, Boolean.class);
    }

    public static boolean isLazyReading(ConnectorSession session)
    {
        return session.getProperty(LAZY_READING, Boolean.class);
    }

    public static boolean isIndexEnabled(ConnectorSession session)
    {
        return session.getProperty(INDEX_ENABLED, Boolean.class);
    }

    public static ReadAhead getReadAhead(ConnectorSession session)
    {
        return session.getProperty(READ_AHEAD, ReadAhead.class);
    }

    public static DataSize getReadAheadMaxSize(ConnectorSession session)
    {
        return session.getProperty(READ_AHEAD_MAX_SIZE, DataSize.class);
    }

    public static DataSize getMaxSplitSize(ConnectorSession session)
    {
        return session.getProperty(MAX_SPLIT_SIZE, DataSize.class);
    }

    public static SplitLocality getSplitLocality(ConnectorSession session)
    {
        return session.getProperty(SPLIT_LOCALITY, SplitLocality.class);
    }

    /**
     * Returns the options for writes to tables that do not set their own.
     */
    public static WriterOptions getWriterOptions(ConnectorSession session)
    {
        return WriterOptions.DEFAULTS
                .withRowGroupBytes(session.getProperty(ROW_GROUP_SIZE, DataSize.class).toBytes())
                .withRowGroupRows(session.getProperty(ROW_GROUP_ROWS, Long.class))
                .withSegmentBytes(toIntExact(session.getProperty(SEGMENT_SIZE, DataSize.class).toBytes()))
                .withNarrowWidths(session.getProperty(NARROW_WIDTHS, Boolean.class))
                .withDictionaries(session.getProperty(DICTIONARIES, Boolean.class));
    }

    public static double getUpdateRewriteThreshold(ConnectorSession session)
    {
        return session.getProperty(UPDATE_REWRITE_THRESHOLD, Double.class);
    }

    public static DataSize getUpdateBufferSize(ConnectorSession session)
    {
        return session.getProperty(UPDATE_BUFFER_SIZE, DataSize.class);
    }

    public static DataSize getSortBufferSize(ConnectorSession session)
    {
        return session.getProperty(SORT_BUFFER_SIZE, DataSize.class);
    }

    public static DataSize getPartitionBufferSize(ConnectorSession session)
    {
        return session.getProperty(PARTITION_BUFFER_SIZE, DataSize.class);
    }

    public static Duration getDynamicFilteringWaitTimeout(ConnectorSession session)
    {
        return session.getProperty(DYNAMIC_FILTERING_WAIT_TIMEOUT, Duration.class);
    }
}
