#!/usr/bin/env python3
"""Signs the messages of vectors.json without any code of this repository: Python's own hmac, and
openssl 3 for Ed25519. Prints the file; both algorithms are deterministic, so it never changes.

    python3 make-vectors.py > vectors.json
"""
import base64, hashlib, hmac, json, subprocess, tempfile

CREATED = 1780000000
SEED = hashlib.sha256(b"a key for tests alone").digest()
SECRET = hashlib.sha512(b"a secret for tests alone").digest()


def b64(data):
    return base64.b64encode(data).decode()


def seq(text):
    return ":" + b64(text.encode()) + ":"


def openssl(*args):
    return subprocess.run(["openssl", *args], check=True, capture_output=True).stdout


def ed25519(data):
    with tempfile.NamedTemporaryFile() as key, tempfile.NamedTemporaryFile() as message:
        key.write(bytes.fromhex("302e020100300506032b657004220420") + SEED)
        key.flush()
        message.write(data)
        message.flush()
        return openssl("pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", key.name, "-in", message.name)


def ed25519_public():
    with tempfile.NamedTemporaryFile() as key:
        key.write(bytes.fromhex("302e020100300506032b657004220420") + SEED)
        key.flush()
        return openssl("pkey", "-inform", "DER", "-in", key.name, "-pubout", "-outform", "DER")[-32:]


def hmac_sha256(data):
    return hmac.new(SECRET, data, hashlib.sha256).digest()


TUPLE = {
    "holdfast-scope": seq("mandant-ü"),
    "holdfast-operation": seq("Export:Rechnung-№17"),
    "holdfast-fingerprint": "fp1=:" + b64(hashlib.sha256(b"request").digest()) + ":",
    "holdfast-generation": "3",
    "holdfast-epoch": "1",
    "holdfast-dispatch": seq(""),
}


def answer(keyid, sign):
    body = '{"export":"exp-1"}'
    fields = dict(TUPLE)
    fields["content-digest"] = "sha-256=:" + b64(hashlib.sha256(body.encode()).digest()) + ":"
    covered = ["@status", "content-digest", *TUPLE]
    params = "(%s);created=%d;keyid=\"%s\"" % (" ".join('"%s"' % c for c in covered), CREATED, keyid)
    values = {"@status": "201", **fields}
    base = "".join('"%s": %s\n' % (c, values[c]) for c in covered) + '"@signature-params": ' + params
    fields["signature-input"] = "sig=" + params
    fields["signature"] = "sig=:" + b64(sign(base.encode())) + ":"
    return {"status": 201, "fields": fields, "body": body}


def webhook():
    body = json.dumps({"status": 201, "metadata": TUPLE})
    stamp = hmac_sha256(("%d.%s" % (CREATED, body)).encode()).hex()
    return {"fields": {"webhook-signature": "t=%d,v1=%s" % (CREATED, stamp)}, "body": body}


print(
    json.dumps(
        {
            "created": CREATED,
            "publicKey": b64(ed25519_public()),
            "secret": b64(SECRET),
            "ed25519": answer("upstream-2026", ed25519),
            "hmac-sha256": answer("shared-2026", hmac_sha256),
            "webhook": webhook(),
        },
        indent=2,
    )
)
