"""A real SMTP server that fails as it is told to. What happens is said on standard output, a line of JSON each.

`--plan` lists what becomes of one mail after the other; when it is used up, mails are accepted:

    accept              as servers do
    mail-550            the sender is refused
    rcpt-451, rcpt-550  the recipient is refused, for now or for good; the answer quotes the address
    rcpt-stall          no answer to the recipient
    data-disconnect     gone in the middle of the message
    message-451, -554   the message is refused
    message-stall       the message has arrived, but the answer never comes
    hold                the message has arrived, and is accepted when a line comes on standard input
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


class Obedient(SMTP):
    async def smtp_DATA(self, argument):
        if getattr(self.session, "fate", None) != "data-disconnect":
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
        session.fate = self.plan.pop(0) if self.plan else "accept"
        envelope.mail_from = address
        return answer(session, "mail", address)

    async def handle_RCPT(self, server, session, envelope, address, options):
        await stall(session, "rcpt")
        envelope.rcpt_tos.append(address)
        return answer(session, "rcpt", address)

    async def handle_DATA(self, server, session, envelope):
        mail = described(envelope)
        await stall(session, "message", **mail)
        if session.fate == "hold":
            say("held", **mail)
            await self.released.wait()
        if session.fate in ("accept", "hold"):
            say("accepted", encrypted=server.transport.get_extra_info("ssl_object") is not None, **mail)
        return answer(session, "message", envelope.rcpt_tos[0])


async def stall(session, step, **details):
    if session.fate == f"{step}-stall":
        say("stalled", **details)
        await asyncio.Event().wait()


def answer(session, step, address):
    if not session.fate.startswith(step):
        return "250 OK"
    refusal = REFUSALS[session.fate].format(address)
    say("refused", answer=refusal)
    return refusal


def described(envelope):
    message = email.message_from_bytes(envelope.content, policy=email.policy.default)
    parts = {part.get_content_type(): part.get_content() for part in message.walk() if not part.is_multipart()}
    return {
        "from": envelope.mail_from,
        "to": envelope.rcpt_tos,
        "headers": {name.lower(): str(value) for name, value in message.items()},
        "type": message.get_content_type(),
        "parts": parts,
    }


def encryption(ca_file):
    import trustme

    authority = trustme.CA()
    authority.cert_pem.write_to_path(ca_file)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context


async def release_at_a_line(handler):
    if await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline):
        handler.released.set()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--plan", default="")
    parser.add_argument("--password", help="of the user `serasi`, without which nothing is taken")
    parser.add_argument("--tls", choices=["starttls", "implicit"])
    parser.add_argument("--ca-file", help="where to write the certificate to trust")
    options = parser.parse_args()

    def signed_in(server, session, envelope, mechanism, given):
        known = (given.login, given.password) == (b"serasi", options.password.encode())
        say("signed in" if known else "turned away")
        return AuthResult(success=known, handled=False)

    handler = Handler([step for step in options.plan.split(",") if step])
    context = encryption(options.ca_file) if options.tls else None
    settings = {"enable_SMTPUTF8": True}
    if options.tls == "starttls":
        settings |= {"tls_context": context, "require_starttls": True}
    if options.password:
        settings |= {"authenticator": signed_in, "auth_required": True, "auth_require_tls": False}
    server = await asyncio.get_running_loop().create_server(
        lambda: Obedient(handler, hostname="localhost", **settings),
        "127.0.0.1",
        options.port,
        ssl=context if options.tls == "implicit" else None,
    )
    waiting = asyncio.create_task(release_at_a_line(handler))
    say("listening", port=server.sockets[0].getsockname()[1])
    async with server:
        await server.serve_forever()
    await waiting


# Its own troubles are ours to cause, and passwords in the clear stay on this machine.
warnings.simplefilter("ignore")
logging.getLogger("mail.log").setLevel(logging.CRITICAL)
asyncio.run(main())
