package io.albis.table.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.airlift.json.JsonMapperProvider;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.TypeResolver;
import io.trino.spi.type.Type;

import java.io.IOException;

import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES;
import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS;
import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES;
import static com.fasterxml.jackson.databind.MapperFeature.CAN_OVERRIDE_ACCESS_MODIFIERS;
import static java.util.Objects.requireNonNull;

/**
 * Configures Jackson for the files of a warehouse. A member that this version does not know is ignored,
 * and types are stored by their id.
 */
public final class JsonMappers
{
    // Shared, because it inspects each record class by reflection once, which takes far longer than reading a file
    private static final JsonMapper MAPPER = new JsonMapperProvider().get().rebuild()
            .addModule(new SimpleModule()
                    .addSerializer(Type.class, new TypeSerializer())
                    .addDeserializer(Type.class, new TypeDeserializer())
                    .addSerializer(AlbisLayout.class, new EnumJson.Serializer<>(AlbisLayout.class))
                    .addDeserializer(AlbisLayout.class, new EnumJson.Deserializer<>(AlbisLayout.class, "layout"))
                    .addSerializer(Compression.class, new EnumJson.Serializer<>(Compression.class))
                    .addDeserializer(Compression.class, new EnumJson.Deserializer<>(Compression.class, "compression")))
            // Some of the records are package-private
            .enable(CAN_OVERRIDE_ACCESS_MODIFIERS)
            .enable(FAIL_ON_NULL_FOR_PRIMITIVES, FAIL_ON_TRAILING_TOKENS)
            // A newer writer may have added it, and lists in the features what a reader must know
            .disable(FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private JsonMappers() {}

    public static ObjectWriter writer()
    {
        return MAPPER.writer();
    }

    /**
     * Returns a reader of files.
     *
     * @param types resolves the ids of types
     */
    public static ObjectReader reader(TypeResolver types)
    {
        return MAPPER.reader().withAttribute(TypeResolver.class, types);
    }

    /**
     * Signals a name that only a newer writer can have written.
     */
    static final class UnknownNameException
            extends JsonMappingException
    {
        private final String what;

        /**
         * Creates the exception for a name that this version does not know.
         *
         * @param what noun phrase for the error message, such as: a column of the type 'tensor'
         */
        UnknownNameException(JsonParser parser, String what)
        {
            super(parser, "Unknown: " + what);
            this.what = requireNonNull(what, "what is null");
        }

        String what()
        {
            return what;
        }
    }

    private static final class TypeSerializer
            extends StdSerializer<Type>
    {
        TypeSerializer()
        {
            super(Type.class);
        }

        @Override
        public void serialize(Type type, JsonGenerator generator, SerializerProvider provider)
                throws IOException
        {
            generator.writeString(type.getTypeId().getId());
        }
    }

    private static final class TypeDeserializer
            extends StdDeserializer<Type>
    {
        TypeDeserializer()
        {
            super(Type.class);
        }

        @Override
        public Type deserialize(JsonParser parser, DeserializationContext context)
                throws IOException
        {
            TypeResolver types = (TypeResolver) context.getAttribute(TypeResolver.class);
            String typeId = parser.getText();
            Type type;
            try {
                type = types.resolve(typeId);
            }
            catch (RuntimeException e) {
                UnknownNameException unknownType = unknownType(parser, typeId);
                unknownType.initCause(e);
                throw unknownType;
            }
            if (!NestedTypes.hasStorableValues(type) || !NestedTypes.isWithinLimits(type)) {
                throw unknownType(parser, typeId);
            }
            return type;
        }

        private static UnknownNameException unknownType(JsonParser parser, String typeId)
        {
            return new UnknownNameException(parser, "a column of the type '%s'".formatted(typeId));
        }
    }
}
