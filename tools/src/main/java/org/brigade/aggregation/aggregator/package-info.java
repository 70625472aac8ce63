/** The software aggregator: a process that combines what ranks send it, in a tree of such processes. */
package org.brigade.aggregation.aggregator;
