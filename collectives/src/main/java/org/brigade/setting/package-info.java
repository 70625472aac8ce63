/** What users may set from outside, in one list. Sees nothing of Brigade. */
package org.brigade.setting;
