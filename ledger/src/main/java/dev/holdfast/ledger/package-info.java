@NullMarked
package dev.holdfast.ledger;

import org.jspecify.annotations.NullMarked;
