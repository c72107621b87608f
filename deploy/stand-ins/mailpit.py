#!/usr/bin/python3
"""A mail catcher with the part of Mailpit's API that the tests use: SMTP on port 1025, HTTP on port 8025."""

import json
import sys
import urllib.request
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from aiosmtpd.controller import Controller

MOST = 500
messages = []


class Catcher:
    async def handle_DATA(self, server, session, envelope):
        parsed = message_from_bytes(envelope.content, policy=policy.default)
        part = lambda kind: (body := parsed.get_body((kind,))) and body.get_content() or ""
        messages.insert(0, {
            "ID": str(len(messages) + 1),
            "Subject": str(parsed["Subject"]),
            "To": [{"Address": address} for address in envelope.rcpt_tos],
            "HTML": part("html"),
            "Text": part("plain"),
        })
        del messages[MOST:]
        return "250 OK"


class Api(BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.split("?")[0].rstrip("/")
        found = None
        if path == "/readyz":
            found = {}
        elif path == "/api/v1/messages":
            found = {"messages": [{k: m[k] for k in ("ID", "Subject", "To")} for m in messages]}
        elif path.startswith("/api/v1/message/"):
            found = next((m for m in messages if m["ID"] == path.rsplit("/", 1)[1]), None)
        body = json.dumps(found).encode()
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if sys.argv[1:] == ["readyz"]:
    urllib.request.urlopen("http://127.0.0.1:8025/readyz", timeout=2)
else:
    Controller(Catcher(), hostname="0.0.0.0", port=1025).start()
    ThreadingHTTPServer(("0.0.0.0", 8025), Api).serve_forever()
