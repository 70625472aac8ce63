/** The links of a simulated job: routes of messages, and the share of a link that each message gets. */
package org.brigade.simulate.wiring;
