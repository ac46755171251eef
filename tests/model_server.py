"""A small endpoint that speaks the chat completions protocol over real sockets, with answers that a test scripts."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-of-the-tests"


@dataclass
class Asked:
    """A request as the endpoint got it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def text(self) -> str:
        """The user message."""
        return str(self.body["messages"][1]["content"])

    @property
    def user(self) -> str:
        """The name that stands for the user in this call."""
        found = re.match(r'The person is called "(U-[0-9a-f]+)" here\.', self.text)
        assert found
        return found[1]

    @property
    def is_confirmation(self) -> bool:
        return "CLAIMS" in self.text

    def block(self, name: str = "EPISODES") -> list[dict[str, Any]]:
        """The lines of data between two markers."""
        found = re.search(rf"^BEGIN {name} ([0-9a-f]+)\n(.*?)\nEND {name} \1$", self.text, re.DOTALL | re.MULTILINE)
        assert found
        return [json.loads(line) for line in found[2].split("\n")]

    def aliases(self, part: str) -> list[str]:
        """The ids of the episodes in whose text `part` occurs."""
        return [line["id"] for line in self.block() if part.casefold() in line["text"].casefold()]


@dataclass
class Answer:
    """What the endpoint sends: a status and a body; `hang` sends nothing for as long as the server lives, `cut` half of it."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: bool = False
    cut: bool = False


Script = Callable[[Asked], Answer]


def completion(
    content: object, finish: str | None = "stop", usage: Any = (1000, 100), refusal: str | None = None
) -> Answer:
    """Return a chat completion; content that is no text is sent as JSON text."""
    text = content if content is None or isinstance(content, str) else json.dumps(content)
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_780_000_000,
        "model": "small",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, "refusal": refusal},
            }
        ],
    }
    if usage is not None:
        body["usage"] = {
            "prompt_tokens": usage[0],
            "completion_tokens": usage[1],
            "total_tokens": usage[0] + usage[1],
        }
    return Answer(body)


def proposing(*candidates: Mapping[str, Any]) -> Script:
    """Return a script that proposes these; an `evidence` that is text stands for all episodes in which it occurs."""

    def script(asked: Asked) -> Answer:
        if asked.is_confirmation:
            return completion({"user": asked.user, "verdicts": verdicts(asked, lambda claim: True)})
        return completion({"user": asked.user, "candidates": [_cited(candidate, asked) for candidate in candidates]})

    return script


def _cited(candidate: Mapping[str, Any], asked: Asked) -> dict[str, Any]:
    evidence = candidate["evidence"]
    aliases = asked.aliases(evidence) if isinstance(evidence, str) else evidence
    return {"multi": False} | dict(candidate) | {"evidence": aliases}


def verdicts(asked: Asked, judge: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    """Return a verdict on each claim asked about."""
    return [{"claim": claim["id"], "supported": judge(claim)} for claim in asked.block("CLAIMS")]


class ModelServer:
    """The endpoint; `script` can be replaced between nights, `asked` has every request there was."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.over = threading.Event()
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}/v1"


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(self.path, {key.lower(): value for key, value in self.headers.items()}, body)
            server.asked.append(asked)
            answer = server.script(asked)
            if answer.hang:
                server.over.wait()
                self.close_connection = True
                return
            content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for key, value in ({"Content-Type": "application/json"} | dict(answer.headers)).items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if answer.cut else content)
            self.close_connection = answer.cut

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@contextmanager
def serving(script: Script) -> Iterator[ModelServer]:
    """Run an endpoint in threads of this process, on a port of its own."""
    server = ModelServer(script)
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.http.shutdown()
        thread.join()
        server.http.server_close()
