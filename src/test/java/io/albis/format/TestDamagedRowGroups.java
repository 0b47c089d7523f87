package io.albis.format;

import io.albis.filesystem.FileBytes;
import io.albis.filesystem.FileDamage;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Segment;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.write.RollingRowGroupWriter;
import io.trino.filesystem.Location;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.List;

import static io.albis.format.SmallRowGroups.FOLDER;
import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Any damage to files of any layout, encoding, and compression causes an error that names the file.
 */
final class TestDamagedRowGroups
{
    // one of so many bytes is damaged in the ordinary tier, on average
    private static final int STEP = 10;

    @ParameterizedTest
    @EnumSource
    void testEveryBitAndLength(SmallRowGroups kind)
            throws IOException
    {
        SmallRowGroups.Written written = kind.write();
        FileDamage damage = new FileDamage("TestDamagedRowGroups of " + kind);
        for (Location location : RollingRowGroupWriter.files(FOLDER, List.of(written.rowGroup()))) {
            byte[] bytes = FileBytes.read(written.fileSystem(), location);
            boolean isData = location.fileName().equals("data");
            // nothing verifies the zeros at the end of a data file
            int checked = bytes.length - (isData ? Segment.END_SLACK : 0);
            damage.some(bytes, checked, STEP, (damaged, description) -> {
                FileBytes.overwrite(written.fileSystem(), location, damaged);
                if (isData && kind == SmallRowGroups.CONSTANTS) {
                    // the values are in the metadata, so nothing reads the data
                    readAll(kind, written);
                    return;
                }
                assertThat(catchThrowable(() -> readAll(kind, written))).as("%s of %s", description, location)
                        .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                        .hasMessageContaining(location.toString());
            });
            FileBytes.overwrite(written.fileSystem(), location, bytes);
        }
        readAll(kind, written);
        damage.print();
    }

    private static void readAll(SmallRowGroups kind, SmallRowGroups.Written written)
            throws IOException
    {
        RowGroup rowGroup = written.rowGroup();
        List<AlbisColumn> columns = kind.columns();
        try (RowGroupReader reader = RowGroupReader.open(written.fileSystem(), FOLDER, rowGroup, RowGroupScan.of(columns, TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            long rows = 0;
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int channel = 0; channel < columns.size(); channel++) {
                    assertThat(batch.block(channel).getPositionCount()).isEqualTo(batch.positionCount());
                }
                rows += batch.positionCount();
            }
            assertThat(rows).isEqualTo(rowGroup.rows());
        }
    }
}
