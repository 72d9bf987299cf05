#!/usr/bin/env python3
"""The settlement table, made from the written rules alone and never from the code under test.

    python3 settlement_table.py                       print the digest that SettlementTableTest expects
    python3 settlement_table.py settlement-table.tsv  compare an export row by row

The digest is the SHA-256 of all rows, sorted by bytes, each ended by a line feed, without the header.
"""
import hashlib
import itertools
import sys

HEADER = (
    "state lease margin observer observation scope operation fingerprint generation epoch "
    "effect open_attempts payload_policy terminal_policy disposition next_state"
).split()
OBSERVATIONS = "succeeded failed refused in_progress timed_out lease_expired".split()
OBSERVERS = "holder preempted none".split()
TERMINAL = "completed failed conflict".split()


def standings():
    """state, lease, margin, observer: 19 of them."""
    for observer in OBSERVERS:
        yield "unknown", "none", "ok", observer
        yield "in_progress", "live", "ok", observer
        yield "in_progress", "over", "ok", observer
        for state in TERMINAL:
            yield state, "none", "ok", observer
    yield "in_progress", "live", "thin", "holder"


def verdict(state, lease, margin, observer, seen, tuple_matches, effect, others, payload, terminal):
    """Disposition and next state."""
    if not tuple_matches:
        return "quarantined", state
    if seen in ("timed_out", "lease_expired"):
        return ("demoted", "unknown") if lease == "over" else ("recorded", state)
    if seen == "in_progress" or state == "conflict":
        return "recorded", state
    if state in TERMINAL:
        return against_terminal(state, seen, effect, payload, terminal)
    holds = observer == "holder" and lease == "live"
    if seen == "succeeded":
        if not holds:
            return "pending", state
        return ("receipt", "completed") if margin == "ok" else ("renew_first", state)
    if holds and seen == "failed" and margin == "thin":
        return "renew_first", state
    if holds and seen == "failed" and others == "none":
        return "failure", "failed"
    # it did nothing: its attempt is closed, and the lease of a live holder ends with it
    if observer == "none":
        return "recorded", state
    return "closed", "unknown" if holds else state


def against_terminal(state, seen, effect, payload, terminal):
    contradicts = {
        ("completed", "succeeded"): (effect == "other", payload),
        ("completed", "failed"): (effect == "same", terminal),
        ("failed", "succeeded"): (True, terminal),
    }
    disagree, policy = contradicts.get((state, seen), (False, None))
    if disagree and policy == "conflict":
        return "conflicted", "conflict"
    return "recorded", state


def rows():
    choices = [
        list(standings()),
        OBSERVATIONS,
        list(itertools.product(("match", "other"), repeat=5)),
        ("same", "other"),
        ("none", "some"),
        ("conflict", "first_commit"),
        ("conflict", "first_commit"),
    ]
    for standing, seen, parts, effect, others, payload, terminal in itertools.product(*choices):
        matches = all(part == "match" for part in parts)
        result = verdict(*standing, seen, matches, effect, others, payload, terminal)
        yield "\t".join([*standing, seen, *parts, effect, others, payload, terminal, *result])


def compare(path):
    with open(path, "rb") as file:
        text = file.read().decode("utf-8")
    header, *exported = text.split("\n")
    problems = []
    if "\r" in text or exported.pop() != "":
        problems.append("not ended by line feeds alone")
    if header.split("\t") != HEADER:
        problems.append("another header: " + header)
    if len(set(exported)) != len(exported):
        problems.append("a row stands twice")
    expected = set(rows())
    problems += ["missing: " + row for row in sorted(expected - set(exported))]
    problems += ["not expected: " + row for row in sorted(set(exported) - expected)]
    print("\n".join(problems[:40]))
    print(f"{len(exported)} rows, {len(expected)} expected, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(compare(sys.argv[1]))
    ordered = sorted(rows())
    print(len(ordered), hashlib.sha256("".join(row + "\n" for row in ordered).encode()).hexdigest())
