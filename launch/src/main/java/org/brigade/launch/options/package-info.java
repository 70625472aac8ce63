/** Mpjrun's command line: the table of its options, and how a line is read. */
package org.brigade.launch.options;
