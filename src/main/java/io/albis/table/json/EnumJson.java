package io.albis.table.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.albis.table.json.JsonMappers.UnknownNameException;

import java.io.IOException;

import static com.fasterxml.jackson.core.JsonToken.VALUE_STRING;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Serializes constants that describe column groups as their names in lower case. A newer version of Albis wrote a name
 * that this version does not know.
 */
final class EnumJson
{
    private EnumJson() {}

    private static String label(Enum<?> constant)
    {
        return constant.name().toLowerCase(ENGLISH);
    }

    static final class Serializer<E extends Enum<E>>
            extends StdSerializer<E>
    {
        Serializer(Class<E> type)
        {
            super(type);
        }

        @Override
        public void serialize(E constant, JsonGenerator generator, SerializerProvider provider)
                throws IOException
        {
            generator.writeString(label(constant));
        }
    }

    static final class Deserializer<E extends Enum<E>>
            extends StdDeserializer<E>
    {
        private final Class<E> type;
        private final String property;

        /**
         * Creates a deserializer of the constants of an enum.
         *
         * @param property what the constants describe, for error messages
         */
        Deserializer(Class<E> type, String property)
        {
            super(type);
            this.type = requireNonNull(type, "type is null");
            this.property = requireNonNull(property, "property is null");
        }

        @Override
        public E deserialize(JsonParser parser, DeserializationContext context)
                throws IOException
        {
            if (!parser.hasToken(VALUE_STRING)) {
                throw context.wrongTokenException(parser, type, VALUE_STRING, "a %s must be a string".formatted(property));
            }
            String name = parser.getText();
            for (E constant : type.getEnumConstants()) {
                if (label(constant).equals(name)) {
                    return constant;
                }
            }
            throw new UnknownNameException(parser, "a column group with the %s '%s'".formatted(property, name));
        }
    }
}
