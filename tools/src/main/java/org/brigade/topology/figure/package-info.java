/**
 * Figures of a machine file: numbers with dimensions, tables of them, and the statements that they are read from.
 */
package org.brigade.topology.figure;
