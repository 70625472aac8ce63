package org.brigade.cli.help;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A command's help as a page for {@code man}, in the macros of man(7). */
final class ManPage {
    private static final String SECTION = "1";

    private final StringBuilder text = new StringBuilder();

    private ManPage() {
    }

    /** The name of the page's file without {@code .1}: {@code brigade-bench}. */
    static String name(CommandSpec command) {
        return command.qualifiedName("-");
    }

    /** @param release of Brigade, for the page's foot */
    static String of(CommandSpec command, String release) {
        ManPage page = new ManPage();
        String name = name(command);
        String[] description = command.usageMessage().description();
        page.macro("TH " + name.toUpperCase(Locale.ROOT) + " " + SECTION + " \"\" \"" + release + "\" \"Brigade\"");
        page.macro("SH NAME");
        page.line(name + " - " + (description.length == 0 ? "" : firstSentence(plain(description[0]))));
        page.macro("SH SYNOPSIS");
        page.macro("nf");
        page.text.append(escaped(plain(command.commandLine().getHelp().synopsis(0)).stripTrailing())).append('\n');
        page.macro("fi");
        page.macro("SH DESCRIPTION");
        for (String paragraph : description) {
            page.line(plain(paragraph));
        }
        page.parameters(command);
        page.options(command);
        page.commands(command);
        page.notes(Footer.lines(List.of(command.usageMessage().footer())));
        return page.text.toString();
    }

    private void parameters(CommandSpec command) {
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            if (!parameter.hidden()) {
                item(parameter.paramLabel(), parameter.description());
            }
        }
    }

    private void options(CommandSpec command) {
        if (command.options().isEmpty()) {
            return;
        }
        macro("SH OPTIONS");
        for (OptionSpec option : command.options()) {
            if (!option.hidden()) {
                String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
                item(String.join(", ", option.names()) + (option.arity().min() == 0 && !value.isEmpty()
                    ? "[" + value + "]" : value), option.description());
            }
        }
    }

    private void commands(CommandSpec command) {
        if (command.subcommands().isEmpty()) {
            return;
        }
        macro("SH COMMANDS");
        command.subcommands().forEach((name, line) -> item(name, line.getCommandSpec().usageMessage().description()));
    }

    private void notes(List<String> lines) {
        if (lines.stream().allMatch(String::isEmpty)) {
            return;
        }
        macro("SH NOTES");
        for (String line : lines) {
            if (line.startsWith(Footer.EXAMPLE)) {
                macro("nf");
                line(line);
                macro("fi");
            } else if (line.isEmpty()) {
                macro("PP");
            } else {
                line(line);
            }
        }
    }

    private void item(String term, String[] description) {
        macro("TP");
        macro("B " + escaped(term));
        for (String paragraph : description) {
            line(plain(paragraph));
        }
    }

    private void macro(String macro) {
        text.append('.').append(macro).append('\n');
    }

    private void line(String line) {
        text.append(escaped(line)).append('\n');
    }

    /** As it is printed, without colours: {@code %n} and {@code %%} are what they stand for. */
    private static String plain(String markup) {
        return Ansi.OFF.string(String.format(markup));
    }

    private static String firstSentence(String description) {
        int end = description.indexOf(". ");
        String sentence = end < 0 ? description : description.substring(0, end);
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    /** Hyphens that can be copied, and no line that begins with a macro's dot or quote. */
    private static String escaped(String line) {
        String safe = line.replace("\\", "\\e").replace("-", "\\-");
        return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
    }
}
