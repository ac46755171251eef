"""An extra step that does what the store's own table ``behaviour`` says: a tenant that misbehaves among others that do not."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import apsw


def behave(shadow: apsw.Connection, now: float) -> None:
    """Obey the store; ``behaviour`` holds what to do and a file to create first, for whoever waits for it."""
    if not shadow.execute("SELECT 1 FROM sqlite_master WHERE name = 'behaviour'").fetchall():
        return
    do, said = shadow.execute("SELECT do, coalesce(said, '') FROM behaviour").fetchone() or ("", "")
    if said:
        Path(said).touch()
    if do == "hang":
        while True:
            time.sleep(3600)
    if do == "hang deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(3600)
    if do == "crash":
        os.kill(os.getpid(), signal.SIGKILL)
    if do == "spoil":
        shadow.execute("UPDATE facts SET value = 'Paris'")
    if do == "wait":
        while not Path(f"{said}.go").exists():
            time.sleep(0.01)
