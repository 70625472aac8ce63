/** The patterns of parallel programming courses, a program each, in the camel (Open MPI) dialect. */
package org.brigade.examples.patterns.camel;
