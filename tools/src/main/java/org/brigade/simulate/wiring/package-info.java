/** What links a simulated job runs on: routes of messages, and the share of a link that each message gets. */
package org.brigade.simulate.wiring;
