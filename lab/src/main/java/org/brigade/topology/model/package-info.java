/** A machine as a graph: components, links between them, and the distances of components. */
package org.brigade.topology.model;
