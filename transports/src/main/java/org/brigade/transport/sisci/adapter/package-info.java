/**
 * The SISCI library and what is made of it: an adapter, its segments, inboxes and outboxes, the settings of the fabric.
 * The software library is built here. What is public here is so for the other packages of this transport; programs see
 * none of it.
 */
package org.brigade.transport.sisci.adapter;
