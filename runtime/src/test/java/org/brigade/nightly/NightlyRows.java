package org.brigade.nightly;

import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;

/** The rows of {@link Nightly}: none by day. */
final class NightlyRows implements ArgumentsProvider, AnnotationConsumer<Nightly> {
    private Nightly nightly;

    @Override
    public void accept(Nightly annotation) {
        nightly = annotation;
    }

    @Override
    public Stream<Arguments> provideArguments(ExtensionContext context) {
        return Boolean.getBoolean("test.nightly") ? rows(nightly.value(), nightly.delimiter()) : Stream.empty();
    }

    static Stream<Arguments> rows(String[] rows, char delimiter) {
        Pattern outsideQuotes = Pattern.compile(Pattern.quote("" + delimiter) + "(?=(?:[^']*'[^']*')*[^']*$)");
        return Stream.of(rows)
            .map(row -> Arguments.of(Stream.of(outsideQuotes.split(row, -1)).map(NightlyRows::value).toArray()));
    }

    private static Object value(String text) {
        String value = text.strip();
        return value.startsWith("'") ? value.substring(1, value.length() - 1) : value.isEmpty() ? null : value;
    }
}
