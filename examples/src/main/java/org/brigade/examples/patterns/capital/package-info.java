/** The patterns of parallel programming courses, a program each, in the capital (mpiJava, MPJ Express) dialect. */
package org.brigade.examples.patterns.capital;
