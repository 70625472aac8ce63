/** The memory behind a segment, in the segment's file. */
package org.brigade.transport.tail;
