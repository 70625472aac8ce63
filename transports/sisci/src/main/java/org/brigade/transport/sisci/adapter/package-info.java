/**
 * The SISCI library and its objects: an adapter, its segments, inboxes and outboxes, the settings of the fabric. The
 * software library is built here. Public classes here serve the other packages of this transport; programs do not see
 * them.
 */
package org.brigade.transport.sisci.adapter;
