package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.airlift.json.JsonCodec;
import io.airlift.json.JsonCodecFactory;
import io.airlift.json.JsonMapperProvider;
import io.airlift.slice.Slice;
import io.airlift.units.DataSize;
import io.albis.format.delete.DeletesReader;
import io.albis.format.metadata.RowGroup;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisTransactionHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.HiddenColumn;
import io.albis.trino.manifest.ManifestCache;
import io.albis.trino.manifest.ManifestExecutor;
import io.albis.trino.metadata.AlbisMetadata;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.albis.trino.metadata.ListingExecutor;
import io.albis.trino.procedure.TransactionMode;
import io.albis.trino.relation.QueryReads;
import io.albis.trino.sink.AlbisPageSinkProvider;
import io.albis.trino.sink.WriteStats;
import io.albis.trino.storage.LocalRoot;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.plugin.base.TypeDeserializer;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RowBlockBuilder;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorMergeSink;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.security.TrinoPrincipal;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeId;
import io.trino.testing.TestingConnectorSession;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;

import static io.trino.spi.connector.ConnectorMergeSink.DELETE_OPERATION_NUMBER;
import static io.trino.spi.connector.ConnectorMergeSink.INSERT_OPERATION_NUMBER;
import static io.trino.spi.connector.ConnectorMergeSink.UPDATE_OPERATION_NUMBER;
import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static io.trino.spi.connector.RowChangeParadigm.CHANGE_ONLY_UPDATED_COLUMNS;
import static io.trino.spi.connector.SaveMode.FAIL;
import static io.trino.spi.security.PrincipalType.USER;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.UuidType.UUID;
import static io.trino.spi.type.UuidType.javaUuidToTrinoUuid;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A table with one column, and the row-level statements on it, as the engine runs them.
 */
abstract class BaseMergeWritesTest
{
    private static final SchemaTableName TABLE = new SchemaTableName("s", "t");
    private static final AlbisConfig CONFIG = new AlbisConfig().setWarehouse("memory:///warehouse");
    private static final JsonCodec<AlbisMergeTableHandle> HANDLE_CODEC = new JsonCodecFactory(new JsonMapperProvider()
            .withJsonDeserializers(Map.of(Type.class, new TypeDeserializer(TESTING_TYPE_MANAGER))))
            .jsonCodec(AlbisMergeTableHandle.class);

    protected final ConnectorSession session = TestingConnectorSession.builder()
            .setPropertyMetadata(new AlbisSessionProperties(CONFIG, new AlbisReadConfig()).getSessionProperties())
            .build();
    protected final TrinoFileSystem storage = new MemoryFileSystem();
    private final AlbisMetadataFactory transactions = new AlbisMetadataFactory(new CatalogName("albis"), CONFIG, _ -> storage, typeId -> TESTING_TYPE_MANAGER.getType(TypeId.of(typeId)), new LocalRoot(Optional.empty()), new CommitStats(), new ManifestCache(DataSize.ofBytes(0), new ManifestExecutor("test", 2)), ListingExecutor.direct(), new QueryReads());
    private final AlbisPageSinkProvider sinks = new AlbisPageSinkProvider(_ -> storage, new WriteStats(), transactions::loadVersion, BaseTableWritesTest.UNSORTED);

    private final Set<UUID> known = new LinkedHashSet<>();

    protected BaseMergeWritesTest()
    {
        begin().createSchema(session, TABLE.getSchemaName(), ImmutableMap.of(), new TrinoPrincipal(USER, "user"));
    }

    protected final AlbisMetadata begin()
    {
        return transactions.create(session, TransactionMode.AUTO_COMMIT);
    }

    protected final void createTable(Map<String, Object> properties)
    {
        begin().createTable(session, new ConnectorTableMetadata(TABLE, ImmutableList.of(new ColumnMetadata("id", BIGINT)), properties), FAIL);
    }

    protected final void dropTable()
    {
        AlbisMetadata transaction = begin();
        transaction.dropTable(session, table(transaction));
    }

    protected final ConnectorTableHandle table(AlbisMetadata transaction)
    {
        return transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.empty());
    }

    protected final void insert(int rows)
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = (AlbisWritableTableHandle) transaction.beginInsert(session, table(transaction), ImmutableList.of(), NO_RETRIES);
        ConnectorPageSink sink = sinks.createPageSink(new AlbisTransactionHandle(handle.tableId()), session, (ConnectorInsertTableHandle) handle, Optional.empty(), () -> 1);
        sink.appendPage(new Page(new LongArrayBlock(rows, Optional.empty(), LongStream.range(0, rows).toArray())));
        transaction.finishInsert(session, handle, ImmutableList.of(), sink.finish().join(), ImmutableList.of());
    }

    /**
     * Returns the row groups in the order in which the test has first seen them.
     */
    protected final List<RowGroup> rowGroups()
    {
        AlbisMetadata transaction = begin();
        Map<UUID, RowGroup> rowGroups = Maps.uniqueIndex(transaction.rowGroups((AlbisTableHandle) table(transaction), TupleDomain.all()).rowGroups(), RowGroup::id);
        known.addAll(rowGroups.keySet());
        return known.stream()
                .filter(rowGroups::containsKey)
                .map(rowGroups::get)
                .toList();
    }

    protected final void assertLive(int rowGroup, Integer... expected)
            throws IOException
    {
        AlbisMetadata transaction = begin();
        Location folder = Location.of(((AlbisTableHandle) table(transaction)).folder());
        RowGroup found = rowGroups().get(rowGroup);
        ImmutableList.Builder<Integer> live = ImmutableList.builder();
        for (int position = 0; position < found.rows(); position++) {
            if (found.deletedRows().isEmpty() || !DeletesReader.read(storage, folder, found.deletedRows().get(), found.rows()).contains(position)) {
                live.add(position);
            }
        }
        assertThat(live.build()).containsExactly(expected);
    }

    protected final Set<String> files(String part)
            throws IOException
    {
        ImmutableSet.Builder<String> files = ImmutableSet.builder();
        FileIterator iterator = storage.listFiles(Location.of("memory:///"));
        while (iterator.hasNext()) {
            String file = iterator.next().location().toString();
            if (file.contains(part)) {
                files.add(file);
            }
        }
        return files.build();
    }

    /**
     * Begins a MERGE that can delete and insert rows.
     */
    protected final Statement merge()
    {
        AlbisMetadata transaction = begin();
        planUpdateOrMerge(transaction);
        return new Statement(transaction, false, NO_RETRIES);
    }

    /**
     * Begins an UPDATE, which needs no privilege to insert rows.
     */
    protected final Statement update()
    {
        AlbisMetadata transaction = begin();
        transaction.noteUpdate();
        return new Statement(transaction, true, NO_RETRIES);
    }

    private void planUpdateOrMerge(AlbisMetadata transaction)
    {
        assertThat(transaction.getRowChangeParadigm(session, table(transaction))).isEqualTo(CHANGE_ONLY_UPDATED_COLUMNS);
    }

    /**
     * A DELETE, UPDATE, or MERGE, which begins when it is created.
     */
    protected class Statement
    {
        protected final AlbisMetadata transaction;
        protected final AlbisMergeTableHandle handle;
        private final List<RowGroup> rowGroups = rowGroups();
        private final PageBuilder rows = new PageBuilder(ImmutableList.of(BIGINT, TINYINT, INTEGER, HiddenColumn.ROW_ID.type()));

        Statement(boolean updates)
        {
            this(begin(), updates, NO_RETRIES);
        }

        Statement(AlbisMetadata transaction, boolean updates, RetryMode retryMode)
        {
            this.transaction = transaction;
            if (updates) {
                planUpdateOrMerge(transaction);
            }
            ConnectorTableHandle table = table(transaction);
            this.handle = (AlbisMergeTableHandle) transaction.beginMerge(
                    session,
                    table,
                    updates ? ImmutableMap.of(0, ImmutableList.of(transaction.getColumnHandles(session, table).get("id"))) : ImmutableMap.of(),
                    retryMode);
        }

        Statement delete(int rowGroup, long... positions)
        {
            for (long position : positions) {
                add(DELETE_OPERATION_NUMBER, Optional.of(rowGroups.get(rowGroup).id()), position);
            }
            return this;
        }

        Statement update(int rowGroup, long position)
        {
            add(UPDATE_OPERATION_NUMBER, Optional.of(rowGroups.get(rowGroup).id()), position);
            return this;
        }

        Statement insert(int count)
        {
            for (int row = 0; row < count; row++) {
                add(INSERT_OPERATION_NUMBER, Optional.empty(), 0);
            }
            return this;
        }

        private void add(int operation, Optional<UUID> rowGroup, long position)
        {
            rows.declarePosition();
            BIGINT.writeLong(rows.getBlockBuilder(0), 100);
            TINYINT.writeLong(rows.getBlockBuilder(1), operation);
            INTEGER.writeLong(rows.getBlockBuilder(2), 0);
            RowBlockBuilder rowIds = (RowBlockBuilder) rows.getBlockBuilder(3);
            if (rowGroup.isEmpty()) {
                rowIds.appendNull();
                return;
            }
            rowIds.buildEntry(fields -> {
                UUID.writeSlice(fields.get(0), javaUuidToTrinoUuid(rowGroup.get()));
                BIGINT.writeLong(fields.get(1), position);
            });
        }

        Collection<Slice> write()
        {
            return write(handle);
        }

        /**
         * Runs one attempt of a task that writes the changes.
         */
        Collection<Slice> write(AlbisMergeTableHandle handle)
        {
            // The handle as a worker receives it
            AlbisMergeTableHandle received = HANDLE_CODEC.fromJson(HANDLE_CODEC.toJson(handle));
            assertThat(received).isEqualTo(handle);
            ConnectorMergeSink sink = sinks.createMergeSink(new AlbisTransactionHandle(handle.target().tableId()), session, received, Optional.empty(), () -> 1);
            sink.storeMergedRows(rows.build());
            return sink.finish().join();
        }

        void finish(Collection<Slice> fragments)
        {
            transaction.finishMerge(session, handle, ImmutableList.of(handle.tableHandle()), fragments, ImmutableList.of());
        }

        void commit()
        {
            finish(write());
        }
    }
}
