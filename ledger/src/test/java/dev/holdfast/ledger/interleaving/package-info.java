/**
 * Two workers on one operation, step by step in every order, and a checker that judges what was
 * seen and stored without a line of the code under test. Must never know how the ledger's
 * statements are made.
 */
@NullMarked
package dev.holdfast.ledger.interleaving;

import org.jspecify.annotations.NullMarked;
