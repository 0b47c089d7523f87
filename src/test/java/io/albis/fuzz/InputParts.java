package io.albis.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Splits an input into parts. Each part follows its length, and any bytes can be split.
 */
final class InputParts
{
    private final ByteBuffer input;

    InputParts(byte[] input)
    {
        this.input = ByteBuffer.wrap(input).order(LITTLE_ENDIAN);
    }

    boolean isEmpty()
    {
        return !input.hasRemaining();
    }

    /**
     * Returns the next part, which ends at the end of the input if its length exceeds it.
     */
    byte[] next()
    {
        int length = nextNumber();
        byte[] part = new byte[length >= 0 && length < input.remaining() ? length : input.remaining()];
        input.get(part);
        return part;
    }

    /**
     * Returns the next four bytes as a number, or 0 at the end of the input.
     */
    int nextNumber()
    {
        if (input.remaining() < Integer.BYTES) {
            input.position(input.limit());
            return 0;
        }
        return input.getInt();
    }

    byte[] rest()
    {
        return Arrays.copyOfRange(input.array(), input.position(), input.limit());
    }

    static void write(byte[] part, ByteArrayOutputStream output)
    {
        output.writeBytes(ByteBuffer.allocate(Integer.BYTES).order(LITTLE_ENDIAN).putInt(part.length).array());
        output.writeBytes(part);
    }
}
