package io.albis.trino.history;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

import static com.fasterxml.jackson.annotation.JsonTypeInfo.Id.NAME;

/**
 * What a client asks a server to do with one table.
 */
@JsonTypeInfo(use = NAME, property = "type")
@JsonSubTypes({
        @JsonSubTypes.Type(value = Write.Insert.class, name = "insert"),
        @JsonSubTypes.Type(value = Write.InsertSelect.class, name = "insert-select"),
        @JsonSubTypes.Type(value = Write.Delete.class, name = "delete"),
        @JsonSubTypes.Type(value = Write.DeleteShifted.class, name = "delete-shifted"),
        @JsonSubTypes.Type(value = Write.Update.class, name = "update"),
        @JsonSubTypes.Type(value = Write.Move.class, name = "move"),
        @JsonSubTypes.Type(value = Write.Merge.class, name = "merge"),
        @JsonSubTypes.Type(value = Write.Truncate.class, name = "truncate"),
        @JsonSubTypes.Type(value = Write.Replace.class, name = "replace"),
        @JsonSubTypes.Type(value = Write.ReplaceSelect.class, name = "replace-select"),
        @JsonSubTypes.Type(value = Naming.Rename.class, name = "rename"),
        @JsonSubTypes.Type(value = Write.SetColumn.class, name = "set-column"),
        @JsonSubTypes.Type(value = Write.Create.class, name = "create"),
        @JsonSubTypes.Type(value = Naming.Drop.class, name = "drop"),
        @JsonSubTypes.Type(value = Naming.Unregister.class, name = "unregister"),
        @JsonSubTypes.Type(value = Naming.Register.class, name = "register"),
        @JsonSubTypes.Type(value = Alteration.AddColumn.class, name = "add-column"),
        @JsonSubTypes.Type(value = Alteration.DropColumn.class, name = "drop-column"),
        @JsonSubTypes.Type(value = Alteration.RenameColumn.class, name = "rename-column"),
        @JsonSubTypes.Type(value = Maintenance.Optimize.class, name = "optimize"),
        @JsonSubTypes.Type(value = Maintenance.Sort.class, name = "sort"),
        @JsonSubTypes.Type(value = Maintenance.Regroup.class, name = "regroup"),
        @JsonSubTypes.Type(value = Maintenance.AddIndex.class, name = "add-index"),
        @JsonSubTypes.Type(value = Maintenance.DropIndex.class, name = "drop-index"),
        @JsonSubTypes.Type(value = Maintenance.Vacuum.class, name = "vacuum"),
        @JsonSubTypes.Type(value = Write.Rollback.class, name = "rollback"),
        @JsonSubTypes.Type(value = Write.CreateTag.class, name = "create-tag"),
        @JsonSubTypes.Type(value = Write.DropTag.class, name = "drop-tag"),
        @JsonSubTypes.Type(value = Maintenance.Expire.class, name = "expire"),
        @JsonSubTypes.Type(value = Maintenance.RemoveOrphans.class, name = "remove-orphans"),
        @JsonSubTypes.Type(value = Read.Newest.class, name = "newest"),
        @JsonSubTypes.Type(value = Read.Rows.class, name = "rows"),
        @JsonSubTypes.Type(value = Read.Totals.class, name = "totals"),
        @JsonSubTypes.Type(value = Read.Numbered.class, name = "numbered"),
        @JsonSubTypes.Type(value = Read.AsOf.class, name = "as-of"),
        @JsonSubTypes.Type(value = Read.Tagged.class, name = "tagged"),
        @JsonSubTypes.Type(value = Read.LostTables.class, name = "lost-tables"),
        @JsonSubTypes.Type(value = Read.Chain.class, name = "chain"),
})
sealed interface Operation
        permits Read, Write
{
    /**
     * Returns the name of the table.
     */
    String table();

    String sql();
}
