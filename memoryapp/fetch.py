"""Fetch one small document from an address that somebody typed, without letting them reach into our own network.

The host is resolved here, every address it has is checked, and the connection goes to the very address that was
checked: a name cannot be one host when it is looked at and another when it is called. No proxy, no cookies, no
redirect is followed. Private hosts are called only where the operator has listed them (MEMORYAPP_KEY_URL_HOSTS).
"""

import asyncio
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import httpx
from django.conf import settings

#: From the look-up of the name to the last byte.
LONGEST_SECONDS = 5.0
#: One address of several that does not answer leaves time for the next.
CONNECT_SECONDS = 2.0
MOST_BYTES = 100_000
LOOPBACK = ("localhost", "127.0.0.1", "::1")
HEADERS = {"Accept": "application/jwk-set+json, application/json", "Accept-Encoding": "identity"}
_GLOBAL_UNICAST, _NAT64 = IPv6Network("2000::/3"), IPv6Network("64:ff9b::/96")

Address = IPv4Address | IPv6Address


class Failed(Exception):
    """Nothing came of it; `code` says why, and never repeats anything that was sent to us."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def checked(url: str) -> httpx.URL:
    """The address, if we would ask there at all. Raises Failed: `bad-url`, `not-https`, `private-address`."""
    try:
        where = httpx.URL(url)
        port_is_right = where.port is None or 0 < where.port < 65536
    except (httpx.InvalidURL, ValueError) as error:
        raise Failed("bad-url") from error
    if not where.host or not port_is_right or where.userinfo or "#" in url:
        raise Failed("bad-url")
    if where.scheme != "https" and not (where.scheme == "http" and _may_be_plain(where.host)):
        raise Failed("not-https")
    literal = _literal(where.host)
    if literal and not _may_call(literal, where):
        raise Failed("private-address")
    return where


def document(url: str) -> bytes:
    """What stands there, at most 100 kB of it. Raises Failed; besides those of `checked`:

    `no-such-host`, `unreachable`, `certificate`, `timeout`, `redirect`, `status-<number>`, `too-big`.
    """
    where = checked(url)
    try:
        return asyncio.run(_in_time(where))
    except (TimeoutError, httpx.TimeoutException) as error:
        raise Failed("timeout") from error
    except (httpx.HTTPError, OSError) as error:
        raise Failed("certificate" if _is_about_tls(error) else "unreachable") from error


def host_of(url: str) -> str:
    """What of an address may be told in a log."""
    return httpx.URL(url).host


async def _in_time(where: httpx.URL) -> bytes:
    # One deadline for all of it: httpx' own timeouts begin anew with each byte of a server that drips.
    async with asyncio.timeout(LONGEST_SECONDS):
        addresses = await _resolved(where)
        timeout = httpx.Timeout(LONGEST_SECONDS, connect=CONNECT_SECONDS)
        # The certificates are those of every other call (SSL_CERT_FILE adds one's own); a proxy would resolve again.
        trusted = httpx.create_ssl_context()
        async with httpx.AsyncClient(verify=trusted, trust_env=False, timeout=timeout) as client:
            for address in addresses[:-1]:
                try:
                    return await _get(client, where, address)
                except (httpx.ConnectError, httpx.ConnectTimeout):
                    continue
            return await _get(client, where, addresses[-1])


async def _get(client: httpx.AsyncClient, where: httpx.URL, address: Address) -> bytes:
    """Ask at this address for that host: its name is what the certificate has to be for."""
    body = bytearray()
    async with client.stream(
        "GET",
        where.copy_with(host=str(address)),
        headers={**HEADERS, "Host": where.netloc.decode("ascii")},
        extensions={"sni_hostname": where.raw_host.decode("ascii")},
        follow_redirects=False,
    ) as answer:
        if 300 <= answer.status_code < 400:
            raise Failed("redirect")
        if answer.status_code != httpx.codes.OK:
            raise Failed(f"status-{answer.status_code}")
        async for piece in answer.aiter_raw():
            body += piece
            if len(body) > MOST_BYTES:
                raise Failed("too-big")
    return bytes(body)


async def _resolved(where: httpx.URL) -> list[Address]:
    """The addresses of its host, if each of them may be called. Raises Failed: `no-such-host`, `private-address`."""
    host = where.raw_host.decode("ascii")
    # A thread of its own: asyncio would wait for its own threads, which a slow resolver holds beyond our time.
    helper = ThreadPoolExecutor(1, thread_name_prefix="resolve")
    try:
        found = await asyncio.get_running_loop().run_in_executor(helper, _look_up, host)
    except (OSError, UnicodeError) as error:
        raise Failed("no-such-host") from error
    finally:
        helper.shutdown(wait=False)
    if not found:
        raise Failed("no-such-host")
    if not all(_may_call(address, where) for address in found):
        raise Failed("private-address")
    return found


def _look_up(host: str) -> list[Address]:
    rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(row[4][0]) for row in rows))


def _may_call(address: Address, where: httpx.URL) -> bool:
    meant = _meant(address)
    if meant.is_loopback:
        return _may_be_loopback(where.host)
    if where.scheme != "https":
        return False
    if meant.is_link_local or meant.is_multicast or meant.is_unspecified or meant.is_reserved:
        return False
    return _is_public(meant) or where.host in settings.KEY_URL_HOSTS


def _meant(address: Address) -> Address:
    """The IPv4 address inside of one that only wraps it."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour or address


def _is_public(address: Address) -> bool:
    return address.is_global and (isinstance(address, IPv4Address) or address in _GLOBAL_UNICAST)


def _may_be_loopback(host: str) -> bool:
    return settings.DEBUG or host in settings.KEY_URL_HOSTS


def _may_be_plain(host: str) -> bool:
    """HTTP never leaves this machine."""
    return host in LOOPBACK and _may_be_loopback(host)


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _is_about_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False
