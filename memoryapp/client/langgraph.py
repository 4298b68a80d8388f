"""LangGraph: a store whose items the person can see, correct and delete.

    graph = builder.compile(store=MemoryStore(url, key))
    store.put(("minji", ""), "drink", {"text": "블랙 커피"})

A namespace's first element is the user id, its second the project or ""; what follows is free. Everything
belongs to the service that the key stands for. Without the person's consent `put` raises ConsentRequired, and
reads are empty.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from langgraph.store.base import (
    NOT_PROVIDED,
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    NamespacePath,
    NotProvided,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)
from langgraph.store.base.embed import get_text_at_path, tokenize_path

from memoryapp.client.http import AsyncClient, Client
from memoryapp.client.loops import PerLoop

Namespace = tuple[str, ...]
#: Operations of one user that go out together, each with its place among the results.
Group = list[tuple[int, dict[str, Any]]]
BATCH = 200


class MemoryStore(BaseStore):
    """All of BaseStore, over HTTP.

    `fields`: which parts of a value it is found by when `put` does not say (paths as LangGraph writes them;
    default: every text in it). `ttl`: LangGraph's time-to-live settings.
    """

    supports_ttl = True
    __slots__ = ("_client", "_clients", "_fields", "ttl_config")

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        fields: Sequence[str] | None = None,
        ttl: TTLConfig | None = None,
        **options: Any,
    ) -> None:
        self._client = Client(base_url, api_key, **options)
        self._clients = PerLoop(lambda: AsyncClient(base_url, api_key, **options))
        self._fields = list(fields) if fields is not None else None
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do several operations: reads see what was there before, and the last put of a key wins."""
        operations = list(ops)
        results: list[Result] = [None] * len(operations)
        for user_id, group in self._groups(operations):
            answers = self._client.store_batch(user_id, [request for _, request in group])
            self._fill(results, operations, group, answers)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`."""
        operations = list(ops)
        results: list[Result] = [None] * len(operations)
        for user_id, group in self._groups(operations):
            answers = await self._clients.client.store_batch(user_id, [request for _, request in group])
            self._fill(results, operations, group, answers)
        return results

    # BaseStore's own versions of these refuse an empty project and a user id with a period.

    def get(self, namespace: Namespace, key: str, *, refresh_ttl: bool | None = None) -> Item | None:
        return self.batch([GetOp(namespace, str(key), self._refreshes(refresh_ttl))])[0]  # type: ignore[return-value]

    async def aget(self, namespace: Namespace, key: str, *, refresh_ttl: bool | None = None) -> Item | None:
        found = await self.abatch([GetOp(namespace, str(key), self._refreshes(refresh_ttl))])
        return found[0]  # type: ignore[return-value]

    def search(
        self,
        namespace_prefix: Namespace,
        /,
        *,
        query: str | None = None,
        filter: dict[str, Any] | None = None,  # noqa: A002 - BaseStore's name
        limit: int = 10,
        offset: int = 0,
        refresh_ttl: bool | None = None,
    ) -> list[SearchItem]:
        op = SearchOp(namespace_prefix, filter, limit, offset, query, self._refreshes(refresh_ttl))
        return self.batch([op])[0]  # type: ignore[return-value]

    async def asearch(
        self,
        namespace_prefix: Namespace,
        /,
        *,
        query: str | None = None,
        filter: dict[str, Any] | None = None,  # noqa: A002 - BaseStore's name
        limit: int = 10,
        offset: int = 0,
        refresh_ttl: bool | None = None,
    ) -> list[SearchItem]:
        op = SearchOp(namespace_prefix, filter, limit, offset, query, self._refreshes(refresh_ttl))
        return (await self.abatch([op]))[0]  # type: ignore[return-value]

    def put(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        index: Literal[False] | list[str] | None = None,
        *,
        ttl: float | NotProvided | None = NOT_PROVIDED,
    ) -> None:
        self.batch([PutOp(namespace, str(key), value, index, self._lives(ttl))])

    async def aput(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        index: Literal[False] | list[str] | None = None,
        *,
        ttl: float | NotProvided | None = NOT_PROVIDED,
    ) -> None:
        await self.abatch([PutOp(namespace, str(key), value, index, self._lives(ttl))])

    def delete(self, namespace: Namespace, key: str) -> None:
        self.batch([PutOp(namespace, str(key), None)])

    async def adelete(self, namespace: Namespace, key: str) -> None:
        await self.abatch([PutOp(namespace, str(key), None)])

    def list_namespaces(
        self,
        *,
        prefix: NamespacePath | None = None,
        suffix: NamespacePath | None = None,
        max_depth: int | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Namespace]:
        op = ListNamespacesOp(_conditions(prefix, suffix), max_depth, limit, offset)
        return self.batch([op])[0]  # type: ignore[return-value]

    async def alist_namespaces(
        self,
        *,
        prefix: NamespacePath | None = None,
        suffix: NamespacePath | None = None,
        max_depth: int | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Namespace]:
        op = ListNamespacesOp(_conditions(prefix, suffix), max_depth, limit, offset)
        return (await self.abatch([op]))[0]  # type: ignore[return-value]

    def close(self) -> None:
        self._client.close()

    async def aclose(self) -> None:
        await self._clients.aclose()

    def _refreshes(self, asked: bool | None) -> bool:
        if asked is not None:
            return asked
        return bool((self.ttl_config or {}).get("refresh_on_read", True))

    def _lives(self, ttl: float | NotProvided | None) -> float | None:
        """Minutes, or None for ever."""
        return (self.ttl_config or {}).get("default_ttl") if isinstance(ttl, NotProvided) else ttl

    def _groups(self, operations: Sequence[Op]) -> Iterator[tuple[str, Group]]:
        """Operations by user, reads first, in parts that one request may hold."""
        users: dict[str, Group] = {}
        for at, op in enumerate(operations):
            user_id, request = self._request(op)
            users.setdefault(user_id, []).append((at, request))
        for user_id, group in users.items():
            group.sort(key=lambda pair: pair[1]["op"] in ("put", "delete"))  # stable: reads go first
            for start in range(0, len(group), BATCH):
                yield user_id, group[start : start + BATCH]

    def _request(self, op: Op) -> tuple[str, dict[str, Any]]:
        if isinstance(op, ListNamespacesOp):
            return _user_of_listing(op), {"op": "list_namespaces"}
        if isinstance(op, SearchOp):
            user_id, rest = _split(op.namespace_prefix)
            return user_id, {
                "op": "search",
                "prefix": rest,
                "query": op.query,
                "filter": op.filter,
                "limit": op.limit,
                "offset": op.offset,
                "refresh_ttl": op.refresh_ttl,
            }
        user_id, rest = _split(op.namespace)
        place = {"namespace": rest, "key": op.key}
        if isinstance(op, GetOp):
            return user_id, {"op": "get", **place, "refresh_ttl": op.refresh_ttl}
        if op.value is None:
            return user_id, {"op": "delete", **place}
        return user_id, {
            "op": "put",
            **place,
            "value": dict(op.value),
            **self._found_by(op),
            "ttl_minutes": op.ttl,
        }

    def _found_by(self, op: PutOp) -> dict[str, Any]:
        """Whether and by which text a value can be found."""
        if op.index is False:
            return {"index": False}
        paths = op.index if op.index is not None else self._fields
        if paths is None or "$" in paths:
            return {}
        texts = [text for path in paths for text in get_text_at_path(op.value, tokenize_path(path))]
        return {"text": "\n".join(texts)} if texts else {"index": False}

    def _fill(
        self,
        results: list[Result],
        operations: Sequence[Op],
        group: Group,
        answers: Sequence[Mapping[str, Any]],
    ) -> None:
        for (at, _), answer in zip(group, answers, strict=True):
            results[at] = _result(operations[at], answer)


def _result(op: Op, answer: Mapping[str, Any]) -> Result:
    if isinstance(op, ListNamespacesOp):
        user_id = _user_of_listing(op)
        return _listing(op, [(user_id, *rest) for rest in answer["namespaces"]])
    if isinstance(op, SearchOp):
        user_id = op.namespace_prefix[0]
        return [SearchItem(**_parts(user_id, item), score=item["score"]) for item in answer["items"]]
    if isinstance(op, GetOp) and answer["item"] is not None:
        return Item(**_parts(op.namespace[0], answer["item"]))
    return None


def _parts(user_id: str, item: Mapping[str, Any]) -> dict[str, Any]:
    parts = {name: item[name] for name in ("key", "value", "created_at", "updated_at")}
    return {**parts, "namespace": (user_id, *item["namespace"])}


def _split(namespace: Namespace) -> tuple[str, list[str]]:
    """(user id, the rest). Raises InvalidNamespaceError; only the project may be empty."""
    namespace = tuple(namespace)
    if not namespace:
        raise InvalidNamespaceError("A namespace begins with the user id.")
    for at, label in enumerate(namespace):
        if not isinstance(label, str):
            raise InvalidNamespaceError(f"Labels must be strings, got {type(label).__name__}.")
        if not label.strip() and at != 1:
            raise InvalidNamespaceError("Only the second label, the project, may be empty.")
        if "\x00" in label or ("." in label and at > 0):
            raise InvalidNamespaceError("Labels after the user id cannot contain periods or NUL.")
    if namespace[0] == "langgraph":
        raise InvalidNamespaceError('A namespace cannot begin with "langgraph".')
    return namespace[0], list(namespace[1:])


def _conditions(prefix: NamespacePath | None, suffix: NamespacePath | None) -> tuple[MatchCondition, ...]:
    paths: list[tuple[Literal["prefix", "suffix"], NamespacePath | None]] = [
        ("prefix", prefix),
        ("suffix", suffix),
    ]
    return tuple(MatchCondition(match_type=kind, path=path) for kind, path in paths if path)


def _user_of_listing(op: ListNamespacesOp) -> str:
    """Whose namespaces are listed: a key never lists across people."""
    for condition in op.match_conditions or ():
        if condition.match_type == "prefix" and condition.path[0] != "*":
            return condition.path[0]
    raise InvalidNamespaceError("Name a prefix that begins with a user id.")


def _listing(op: ListNamespacesOp, namespaces: Sequence[Namespace]) -> list[Namespace]:
    kept = [
        name
        for name in namespaces
        if all(_matches(condition, name) for condition in op.match_conditions or ())
    ]
    cut = sorted({name[: op.max_depth] for name in kept})
    return cut[op.offset : op.offset + op.limit]


def _matches(condition: MatchCondition, namespace: Namespace) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = (
        namespace[: len(path)]
        if condition.match_type == "prefix"
        else namespace[len(namespace) - len(path) :]
    )
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))
