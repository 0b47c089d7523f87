package io.albis.table.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.albis.format.run.Compression;
import io.albis.table.json.JsonMappers.UnknownNameException;

import java.io.IOException;
import java.util.Optional;

import static com.fasterxml.jackson.core.JsonToken.VALUE_STRING;

/**
 * Stores compressions by the name that SQL uses, whatever the name of the constant is. A compression that this version
 * does not know is stored by a newer one.
 */
final class CompressionJson
{
    private CompressionJson() {}

    static final class Serializer
            extends StdSerializer<Compression>
    {
        Serializer()
        {
            super(Compression.class);
        }

        @Override
        public void serialize(Compression compression, JsonGenerator generator, SerializerProvider provider)
                throws IOException
        {
            generator.writeString(compression.toString());
        }
    }

    static final class Deserializer
            extends StdDeserializer<Compression>
    {
        Deserializer()
        {
            super(Compression.class);
        }

        @Override
        public Compression deserialize(JsonParser parser, DeserializationContext context)
                throws IOException
        {
            if (!parser.hasToken(VALUE_STRING)) {
                throw context.wrongTokenException(parser, Compression.class, VALUE_STRING, "a compression must be a string");
            }
            String name = parser.getText();
            Optional<Compression> compression = Compression.find(name);
            if (compression.isEmpty()) {
                throw new UnknownNameException(parser, "a column group with the compression '%s'".formatted(name));
            }
            return compression.get();
        }
    }
}
