/** What the ranks of a traced job have recorded: read, put on one clock, summed up and drawn. */
package org.brigade.trace;
