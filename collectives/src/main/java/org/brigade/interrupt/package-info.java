/**
 * Waiting and file work of threads that the program may interrupt. Interrupts change no result, and the threads' flags
 * are kept.
 */
package org.brigade.interrupt;
