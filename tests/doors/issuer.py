"""A real HTTPS server that publishes a service's public keys, well or badly, at https://issuer.test:<port>/."""

import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "issuer.test"
Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Issuer:
    """`publish` a set, or let it `answer` anything. `asked`: the path and the Host of each request."""

    server: ThreadingHTTPServer
    answer: Answer
    asked: list[tuple[str, str]] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.server.server_address[1])

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.port}/jwks.json"

    def publish(self, *keys: dict[str, Any]) -> None:
        self.answer = says(json.dumps({"keys": keys}).encode())


def says(body: bytes, status: int = 200, **headers: str) -> Answer:
    """An answer with this body."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def drips(head: bytes, piece: bytes) -> Answer:
    """`head`, and then a little every now and then, for as long as somebody listens."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(head)
        for _ in range(100):
            time.sleep(0.05)
            handler.wfile.write(piece)
            handler.wfile.flush()

    return answer


@contextmanager
def running(certificate: Path | None) -> Iterator[Issuer]:
    """The server, with this certificate and key in one PEM file, or over plain HTTP."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    server.handle_error = lambda request, client: None  # type: ignore[assignment,method-assign]  # who hung up on it
    issuer = Issuer(server, says(b"{}"))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            issuer.asked.append((self.path, self.headers["Host"]))
            issuer.answer(self)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in the base class
            """Quiet."""

    server.RequestHandlerClass = Handler
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield issuer
    server.shutdown()
    server.server_close()
    thread.join()


def certificate(folder: Path, *hosts: str) -> Path:
    """A certificate for these hosts that vouches for itself, with its key. → the PEM file"""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, hosts[0])])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{hosts[0]}.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path


@dataclass
class Resolver:
    """Stands in for getaddrinfo: each name's addresses, one list for each time it is asked; the last one stays."""

    names: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def __call__(self, host: str, port: Any, *args: Any, **kwargs: Any) -> list[Any]:
        self.asked.append(host)
        answers = self.names.get(host)
        if not answers:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in addresses]
