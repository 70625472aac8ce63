package org.brigade.cli.shared;

import org.brigade.select.ByteSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Options that are numbers of bytes, written as {@code 64K}. */
public final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            return ByteSize.parse(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
