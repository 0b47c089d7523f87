package io.albis.table;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.airlift.json.JsonMapperProvider;
import io.albis.format.type.StorageType;
import io.albis.format.type.TypeResolver;
import io.trino.spi.type.Type;

import java.io.IOException;

import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES;
import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES;
import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS;
import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES;
import static java.util.Objects.requireNonNull;

/**
 * Jackson as the files of a warehouse need it: nothing may be missing, nothing is ignored, types are kept by their id.
 */
final class JsonMappers
{
    private JsonMappers() {}

    static JsonMapper create(TypeResolver types)
    {
        return new JsonMapperProvider().get().rebuild()
                .addModule(new SimpleModule()
                        .addSerializer(Type.class, new TypeSerializer())
                        .addDeserializer(Type.class, new TypeDeserializer(types)))
                .enable(FAIL_ON_MISSING_CREATOR_PROPERTIES, FAIL_ON_NULL_FOR_PRIMITIVES, FAIL_ON_TRAILING_TOKENS, FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
    }

    static final class UnknownTypeException
            extends JsonMappingException
    {
        private final String typeId;

        UnknownTypeException(JsonParser parser, String typeId)
        {
            super(parser, "Unknown type " + typeId);
            this.typeId = requireNonNull(typeId, "typeId is null");
        }

        String typeId()
        {
            return typeId;
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
        private final transient TypeResolver types;

        TypeDeserializer(TypeResolver types)
        {
            super(Type.class);
            this.types = requireNonNull(types, "types is null");
        }

        @Override
        public Type deserialize(JsonParser parser, DeserializationContext context)
                throws IOException
        {
            String typeId = parser.getText();
            Type type;
            try {
                type = types.resolve(typeId);
            }
            catch (RuntimeException e) {
                throw new UnknownTypeException(parser, typeId);
            }
            if (!StorageType.isSupported(type)) {
                throw new UnknownTypeException(parser, typeId);
            }
            return type;
        }
    }
}
