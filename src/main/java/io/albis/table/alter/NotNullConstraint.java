package io.albis.table.alter;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/**
 * Commits a NOT NULL constraint of a column, after it has verified that the column is null in no row of the newest
 * version. The {@code schemaId} increases, so a write that began before and may add nulls is refused. Each attempt of
 * the commit verifies what others have added.
 */
public final class NotNullConstraint
        implements Commits.Step
{
    private final TableStorage storage;
    private final int columnId;
    // row groups whose values were read, and have no nulls
    private final Set<RowGroup> verified = new HashSet<>();

    public NotNullConstraint(TableStorage storage, int columnId)
    {
        this.storage = requireNonNull(storage, "storage is null");
        this.columnId = columnId;
    }

    @Override
    public Optional<TableVersion> apply(TableVersion next)
            throws IOException
    {
        TableColumn column = SchemaChange.find(next, columnId);
        if (!column.nullable()) {
            return Optional.empty();
        }
        ImmutableList.Builder<ManifestEntry> undecided = ImmutableList.builder();
        for (ManifestEntry manifest : next.manifests()) {
            if (!manifest.bounds().find(columnId).map(bounds -> bounds.nullCount() == 0).orElse(false)) {
                undecided.add(manifest);
            }
        }
        for (TableRows content : storage.manifests().readAll(undecided.build())) {
            for (RowGroup rowGroup : content.rowGroups()) {
                if (hasNulls(rowGroup, column.toAlbisColumn())) {
                    throw new TableException(NOT_SUPPORTED, "Column '%s' cannot be NOT NULL, because it is null in some rows", column.name());
                }
            }
        }
        return Optional.of(SchemaChange.update(next, columnId, known -> known.withNullable(false)));
    }

    private boolean hasNulls(RowGroup rowGroup, AlbisColumn column)
            throws IOException
    {
        if (!rowGroup.columnIds().contains(columnId)) {
            return column.initial().isEmpty();
        }
        Optional<Long> nulls = rowGroup.statistics(columnId).map(ColumnStatistics::nullCount);
        if (nulls.isPresent() && nulls.get() == 0) {
            return false;
        }
        // The statistics include deleted rows
        if (nulls.isPresent() && rowGroup.deletedRows().isEmpty()) {
            return true;
        }
        return !verified.contains(rowGroup) && readsNulls(rowGroup, column);
    }

    private boolean readsNulls(RowGroup rowGroup, AlbisColumn column)
            throws IOException
    {
        TupleDomain<AlbisColumn> isNull = TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.onlyNull(column.type())));
        try (RowGroupReader reader = RowGroupReader.open(storage.fileSystem(), storage.folder(), rowGroup, RowGroupScan.of(ImmutableList.of(), isNull), ReaderOptions.DEFAULTS)) {
            if (reader.next() != null) {
                return true;
            }
        }
        verified.add(rowGroup);
        return false;
    }
}
