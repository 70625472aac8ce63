package org.brigade.topology.figure;

/**
 * A number of a machine, and its source.
 *
 * @param name by which the rest of the file refers to it
 * @param value in bytes, seconds, bytes/s, or plain
 * @param written as in the file: {@code 12 GB/s}
 * @param estimate whether it was neither measured nor specified; the source then explains the guess
 * @param source a paper's section, a data sheet, a program's constant
 * @param line of the file
 */
public record Figure(String name, double value, Dimension dimension, String written, boolean estimate, String source,
    int line) {
}
