"""The person at the other end, for the Python clients: urllib only."""
import json
import os
import urllib.parse
import urllib.request

FAKE = json.loads(os.environ["FAKE"])


def human(action, **query):
    url = f"{FAKE['human']}/{action}?{urllib.parse.urlencode(query)}"
    with urllib.request.urlopen(urllib.request.Request(url, method="POST")) as answer:
        return json.load(answer)


def check(what, ok):
    print(f"  {'ok  ' if ok else 'FAIL'} {what}")
    if not ok:
        raise SystemExit(1)
