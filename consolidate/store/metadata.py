"""Owner, mode and extended attributes of files; by path alone, so that no file is opened (DESIGN section 4)."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

# Hashes and signatures that the kernel keeps for each file by itself.
_OF_THE_INODE = ("security.evm", "security.ima")


def can_own(found: os.stat_result) -> bool:
    """Tell whether this process can give a file the owner and group that ``found`` has."""
    if os.geteuid() == 0:
        return True
    return found.st_uid == os.geteuid() and found.st_gid in {os.getegid(), *os.getgroups()}


def copy(source: Path, target: Path) -> list[str]:
    """Give a file the owner, mode and extended attributes (ACLs are among them) of another.

    Neither file is opened.

    Returns:
        What could not be carried over, in words: ``owner``, ``group``, names of attributes. A file whose group could not be
        set gets no permissions for its group.

    Raises:
        OSError: one of the files cannot be looked at or changed at all.
    """
    missing: list[str] = []
    found, now = source.stat(), target.stat()
    mode = stat.S_IMODE(found.st_mode)
    if found.st_uid != now.st_uid and not _try_chown(target, found.st_uid, -1):
        missing.append("owner")
    if found.st_gid != now.st_gid and not _try_chown(target, -1, found.st_gid):
        missing.append("group")
        mode &= ~stat.S_IRWXG
    target.chmod(mode)
    return missing + _copy_attributes(source, target)


def _try_chown(path: Path, uid: int, gid: int) -> bool:
    try:
        os.chown(path, uid, gid)
    except PermissionError:
        return False
    return True


def _copy_attributes(source: Path, target: Path) -> list[str]:
    """Make the extended attributes of ``target`` those of ``source``; what a folder's default ACL added goes."""
    missing: list[str] = []
    try:
        wanted, present = os.listxattr(source), os.listxattr(target)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.ENOSYS):
            return missing
        raise
    for name in present:
        if name not in wanted and not name.startswith("security."):
            os.removexattr(target, name)
    for name in wanted:
        if name in _OF_THE_INODE:
            continue
        value = os.getxattr(source, name)
        if name in present and os.getxattr(target, name) == value:
            continue
        try:
            os.setxattr(target, name, value)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EACCES, errno.EOPNOTSUPP):
                raise
            missing.append(f"attribute {name}")
    return missing
