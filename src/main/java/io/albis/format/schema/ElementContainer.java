package io.albis.format.schema;

import io.albis.format.type.FieldIds;
import io.albis.format.type.NestedKind;
import io.trino.spi.type.Type;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The arrays or maps of a column, or of a field of a row in it, of which a scan returns only what an access describes.
 *
 * @param type type of the arrays or maps
 * @param fields ids of the nodes below this type
 */
public record ElementContainer(Type type, FieldIds fields, ElementAccess access)
{
    public ElementContainer
    {
        requireNonNull(type, "type is null");
        checkArgument(NestedKind.of(type).filter(NestedKind::isRepeated).isPresent(), "type %s has no elements", type.getDisplayName());
        fields.check(type);
        requireNonNull(access, "access is null");
    }

    /**
     * Returns the type of what the scan returns.
     */
    public Type resultType()
    {
        return access.resultType(type);
    }
}
