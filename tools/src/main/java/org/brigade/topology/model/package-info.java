/** A machine as a graph: components, links between them, and how near two components are. */
package org.brigade.topology.model;
