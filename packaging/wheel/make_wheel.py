"""Writes a wheel that holds a finished program: `make_wheel.py PROGRAM BINARY PLATFORM VERSION SUMMARY OUT FILE…`.

A wheel is a zip whose `RECORD` names every file with its SHA-256; what is below `.data/scripts` comes
onto the path of whoever installs it (PEP 427). Further files are licences.
"""

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

# The earliest time that a zip can hold: the same content gives the same bytes.
EPOCH = (1980, 1, 1, 0, 0, 0)


def record(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}"


def main() -> None:
    program, binary, platform, version, summary, out, *licences = sys.argv[1:]
    name = program.replace("-", "_")
    tag = f"py3-none-{platform}"
    info = f"{name}-{version}.dist-info"
    metadata = [
        "Metadata-Version: 2.4",
        f"Name: {program}",
        f"Version: {version}",
        f"Summary: {summary}",
        "License-Expression: MIT OR Apache-2.0",
        *(f"License-File: {Path(path).name}" for path in licences),
        "Requires-Python: >=3.8",
        "Description-Content-Type: text/markdown",
        "",
        f"`{program}` as a finished program. `{program} --help` tells what it does.",
        "",
    ]
    wheel = ["Wheel-Version: 1.0", "Generator: palmares", "Root-Is-Purelib: false", f"Tag: {tag}", ""]
    files = {
        f"{name}-{version}.data/scripts/{program}": (Path(binary).read_bytes(), 0o755),
        **{f"{info}/licenses/{Path(path).name}": (Path(path).read_bytes(), 0o644) for path in licences},
        f"{info}/METADATA": ("\n".join(metadata).encode(), 0o644),
        f"{info}/WHEEL": ("\n".join(wheel).encode(), 0o644),
    }
    lines = [record(path, content) for path, (content, _) in files.items()]
    files[f"{info}/RECORD"] = ("\n".join([*lines, f"{info}/RECORD,,", ""]).encode(), 0o644)
    path = Path(out) / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file, (content, mode) in files.items():
            entry = zipfile.ZipInfo(file, EPOCH)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    print(path)


main()
