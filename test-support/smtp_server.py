"""An SMTP server that fails on demand. It writes events to standard output, one JSON object per line.

`--plan` lists what happens to each mail in turn. After the last entry, the server accepts all mails:

    accept              accepts the mail
    mail-550            refuses the sender
    rcpt-451, rcpt-550  refuses the recipient, temporarily or permanently; the answer quotes the address
    rcpt-stall          never answers the recipient
    data-disconnect     disconnects in the middle of the message
    message-451, -554   refuses the message
    message-stall       receives the message, but never answers
    hold                receives the message, and accepts it when standard input brings a line
"""

import argparse
import asyncio
import email
import email.policy
import json
import logging
import ssl
import sys
import warnings

from aiosmtpd.smtp import SMTP, AuthResult

REFUSALS = {
    "mail-550": "550 5.7.1 <{}> may not send here",
    "rcpt-451": "451 4.7.1 <{}> come again later",
    "rcpt-550": "550 5.1.1 <{}> is nobody here",
    "message-451": "451 4.3.0 for <{}>: no room",
    "message-554": "554 5.6.0 for <{}>: not wanted",
}


def say(event, **details):
    print(json.dumps({"event": event, **details}), flush=True)


class PlannedSMTP(SMTP):
    async def smtp_DATA(self, argument):
        if getattr(self.session, "planned", None) != "data-disconnect":
            return await super().smtp_DATA(argument)
        await self.push("354 go on")
        await self._reader.readline()
        say("disconnected")
        self.transport.abort()


class Handler:
    def __init__(self, plan):
        self.plan = plan
        self.released = asyncio.Event()

    async def handle_MAIL(self, server, session, envelope, address, options):
        session.planned = self.plan.pop(0) if self.plan else "accept"
        envelope.mail_from = address
        return answer(session, "mail", address)

    async def handle_RCPT(self, server, session, envelope, address, options):
        await stall(session, "rcpt")
        envelope.rcpt_tos.append(address)
        return answer(session, "rcpt", address)

    async def handle_DATA(self, server, session, envelope):
        mail = describe(envelope)
        await stall(session, "message", **mail)
        if session.planned == "hold":
            say("held", **mail)
            await self.released.wait()
        if session.planned in ("accept", "hold"):
            say("accepted", encrypted=server.transport.get_extra_info("ssl_object") is not None, **mail)
        return answer(session, "message", envelope.rcpt_tos[0])


async def stall(session, step, **details):
    if session.planned == f"{step}-stall":
        say("stalled", **details)
        await asyncio.Event().wait()


def answer(session, step, address):
    if not session.planned.startswith(step):
        return "250 OK"
    refusal = REFUSALS[session.planned].format(address)
    say("refused", answer=refusal)
    return refusal


def describe(envelope):
    message = email.message_from_bytes(envelope.content, policy=email.policy.default)
    parts = {part.get_content_type(): part.get_content() for part in message.walk() if not part.is_multipart()}
    return {
        "from": envelope.mail_from,
        "to": envelope.rcpt_tos,
        "headers": {name.lower(): str(value) for name, value in message.items()},
        "type": message.get_content_type(),
        "parts": parts,
    }


def tls_context(ca_file):
    import trustme

    authority = trustme.CA()
    authority.cert_pem.write_to_path(ca_file)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context


async def release_on_input(handler):
    if await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline):
        handler.released.set()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--plan", default="")
    parser.add_argument("--password", help="password of the user `serasi`; when set, mails need a sign-in")
    parser.add_argument("--tls", choices=["starttls", "implicit"])
    parser.add_argument("--ca-file", help="where to write the certificate to trust")
    options = parser.parse_args()

    def signed_in(server, session, envelope, mechanism, given):
        known = (given.login, given.password) == (b"serasi", options.password.encode())
        say("signed in" if known else "turned away")
        return AuthResult(success=known, handled=False)

    handler = Handler([step for step in options.plan.split(",") if step])
    context = tls_context(options.ca_file) if options.tls else None
    settings = {"enable_SMTPUTF8": True}
    if options.tls == "starttls":
        settings |= {"tls_context": context, "require_starttls": True}
    if options.password:
        settings |= {"authenticator": signed_in, "auth_required": True, "auth_require_tls": False}
    server = await asyncio.get_running_loop().create_server(
        lambda: PlannedSMTP(handler, hostname="localhost", **settings),
        "127.0.0.1",
        options.port,
        ssl=context if options.tls == "implicit" else None,
    )
    waiting = asyncio.create_task(release_on_input(handler))
    say("listening", port=server.sockets[0].getsockname()[1])
    async with server:
        await server.serve_forever()
    await waiting


# The tests cause the warnings and errors on purpose, and plain-text passwords never leave this machine.
warnings.simplefilter("ignore")
logging.getLogger("mail.log").setLevel(logging.CRITICAL)
asyncio.run(main())
