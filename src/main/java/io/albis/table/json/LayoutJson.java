package io.albis.table.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.albis.format.schema.AlbisLayout;
import io.albis.table.json.JsonMappers.UnknownNameException;

import java.io.IOException;

import static com.fasterxml.jackson.core.JsonToken.VALUE_STRING;
import static java.util.Locale.ENGLISH;

/**
 * Serializes layouts as their names in lower case.
 */
final class LayoutJson
{
    private LayoutJson() {}

    private static String label(AlbisLayout layout)
    {
        return layout.name().toLowerCase(ENGLISH);
    }

    static final class Serializer
            extends StdSerializer<AlbisLayout>
    {
        Serializer()
        {
            super(AlbisLayout.class);
        }

        @Override
        public void serialize(AlbisLayout layout, JsonGenerator generator, SerializerProvider provider)
                throws IOException
        {
            generator.writeString(label(layout));
        }
    }

    static final class Deserializer
            extends StdDeserializer<AlbisLayout>
    {
        Deserializer()
        {
            super(AlbisLayout.class);
        }

        @Override
        public AlbisLayout deserialize(JsonParser parser, DeserializationContext context)
                throws IOException
        {
            if (!parser.hasToken(VALUE_STRING)) {
                throw context.wrongTokenException(parser, AlbisLayout.class, VALUE_STRING, "a layout must be a string");
            }
            String name = parser.getText();
            for (AlbisLayout layout : AlbisLayout.values()) {
                if (label(layout).equals(name)) {
                    return layout;
                }
            }
            throw new UnknownNameException(parser, "a column group of the layout '%s'".formatted(name));
        }
    }
}
