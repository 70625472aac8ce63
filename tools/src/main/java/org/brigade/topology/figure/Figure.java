package org.brigade.topology.figure;

/**
 * A number of a machine, and where it comes from.
 *
 * @param name by which the rest of the file refers to it
 * @param value in bytes, seconds, bytes/s, or plain
 * @param written as the file has it: {@code 12 GB/s}
 * @param estimate whether nobody measured or specified it; the source then says how it was guessed
 * @param source who says so: a paper's section, a data sheet, a program's constant
 * @param line of the file
 */
public record Figure(String name, double value, Dimension dimension, String written, boolean estimate, String source,
    int line) {
}
