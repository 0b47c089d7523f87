package io.albis.benchmarks.format.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.albis.benchmarks.format.data.Column;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Verify.verify;

/**
 * Reads rows from lines of JSON.
 */
class JsonPages
        extends RowPages
{
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<String, Integer> channels = new HashMap<>();
    private final JsonParser parser;

    public JsonPages(Path file, List<Column> columns, Scan scan)
            throws IOException
    {
        super(columns, scan);
        for (int channel = 0; channel < columns.size(); channel++) {
            channels.put(columns.get(channel).name(), channel);
        }
        this.parser = FACTORY.createParser(file.toFile());
    }

    @Override
    protected boolean readRow(NumberColumn[] columns)
            throws IOException
    {
        JsonToken token = parser.nextToken();
        if (token == null) {
            return false;
        }
        verify(token == JsonToken.START_OBJECT, "not an object: %s", token);
        int fields = 0;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            readValue(columns[channels.get(name)]);
            fields++;
        }
        verify(fields == columns.length, "%s values for %s columns", fields, columns.length);
        return true;
    }

    private void readValue(NumberColumn column)
            throws IOException
    {
        switch (parser.nextToken()) {
            case VALUE_NULL -> column.appendNull();
            case VALUE_NUMBER_INT -> column.append(parser.getLongValue());
            // Decimals are written with exactly as many digits as their scale, so the digits are the unscaled value and
            // no BigDecimal is needed
            case VALUE_NUMBER_FLOAT -> column.append(digits(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength()));
            default -> throw new IOException("Not a number: " + parser.currentToken());
        }
    }

    private static long digits(char[] text, int offset, int length)
    {
        boolean negative = text[offset] == '-';
        long value = 0;
        for (int i = negative ? 1 : 0; i < length; i++) {
            char character = text[offset + i];
            if (character != '.') {
                value = value * 10 + (character - '0');
            }
        }
        return negative ? -value : value;
    }

    @Override
    public void close()
            throws IOException
    {
        parser.close();
    }
}
