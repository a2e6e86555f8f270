"""A box as server/README tells its host to set it up, with an sshd of its own, and nothing left of it.

Every block that the page says to paste is taken from the page. Only names are replaced: accounts,
folders and ports, so that nothing of the machine itself is touched.
"""

import contextlib
import os
import pwd
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.support import readable_copy
from tests.support.ptys import OnPty, on_a_pty

PAGE = (readable_copy.ROOT / "server" / "README.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Guests over SSH")[2].partition("\n## ")[0]
BLOCKS = re.compile(r"```(?P<kind>\w+)\n(?P<text>.*?)```", re.DOTALL)
SSHD = shutil.which("sshd", path=f"/usr/sbin:/sbin:{os.environ.get('PATH', '')}")
RUN = Path("/run/sshd")  # the folder of privilege separation, which cannot be chosen
LIMITS = Path("/etc/security/limits.d")
FOLDERS = Path("/var/lib")
ACCOUNTS = ("fdserver", "fdguests")  # and the number of the process that has made them
PATIENCE_S = 30.0
NAMED, UNNAMED = ("ana", "bo", "dee", "eve", "fay", "gus", "hal", "ida", "kit"), "all"
UNUSED_S = 4


def sshd_version() -> tuple[int, int]:
    """Which OpenSSH this machine has; (0, 0) if none."""
    said = (
        subprocess.run([SSHD, "-V"], capture_output=True, text=True, check=False) if SSHD else None
    )
    found = re.search(r"OpenSSH_(\d+)\.(\d+)", said.stderr) if said else None
    return (int(found[1]), int(found[2])) if found else (0, 0)


KNOWS_UNUSED = sshd_version() >= (9, 2)
DEBIAN = """\
UsePAM yes
X11Forwarding yes
PrintMotd no
AcceptEnv LANG LC_*
Subsystem sftp /usr/lib/openssh/sftp-server
"""
"""What the rest of a box's configuration is, where its host has changed nothing."""


def block(start: str) -> str:
    """The block of the section that starts like this, a comment with a path before it left out."""
    for found in BLOCKS.finditer(SECTION):
        if found["text"].startswith(start):
            return found["text"]
    message = f"server/README has no block that starts with {start!r}"
    raise AssertionError(message)


def with_timeout(config: str) -> str:
    """The configuration with what the page says to add, where this sshd knows it; but sooner."""
    assert (
        "With OpenSSH 9.2 or newer add `UnusedConnectionTimeout 30` above\n`Match all`" in SECTION
    )
    if not KNOWS_UNUSED:
        return config
    return config.replace("Match all", f"    UnusedConnectionTimeout {UNUSED_S}\nMatch all")


class Box:
    """The accounts, the server, sshd, and the guests' keys."""

    def __init__(self, cleaning: contextlib.ExitStack) -> None:
        """Set it all up; what has been done so far is undone by `cleaning`, whatever happens."""
        self._cleaning = cleaning
        clean_up_after_the_dead()
        self.server_account, self.guests = (f"{who}{os.getpid()}" for who in ACCOUNTS)
        # Below a folder of root's: sshd trusts no key file below one that others can write to.
        self.folder = Path(tempfile.mkdtemp(prefix=f"facedown-box{os.getpid()}-", dir=FOLDERS))
        cleaning.callback(shutil.rmtree, self.folder)
        self.folder.chmod(0o755)
        self.port, self.ssh_port = free_port(), free_port()
        readable_copy.install(self.folder / "opt")
        self._make_accounts()
        self._make_keys()
        self._write_limits()
        self._start_server()
        self._start_sshd()

    @property
    def home(self) -> Path:
        """The home of the guests."""
        return self.folder / "guests-home"

    @property
    def key_file(self) -> Path:
        """The key of the guests."""
        return self.folder / "etc" / "guests.key"

    def here(self, text: str) -> str:
        """What the page says, with the names of this box."""
        names = {
            "/opt/facedown": f"{self.folder}/opt",
            "/etc/facedown": f"{self.folder}/etc",
            "/var/lib/facedown-guests": str(self.home),
            "/var/lib/facedown": f"{self.folder}/data",
            "join localhost": f"join localhost:{self.port}",
            "User=facedown": f"User={self.server_account}",
            "-o facedown": f"-o {self.server_account}",
            "nologin facedown": f"nologin {self.server_account}",
            "play": self.guests,
        }
        every = "|".join(rf"{re.escape(name)}(?![-\w])" for name in names)
        return re.sub(every, lambda found: names[found[0]], text)

    # --- as the page says ------------------------------------------------------------------------

    def _make_accounts(self) -> None:
        for account in (self.server_account, self.guests):
            self._cleaning.callback(remove_account, account)
        subprocess.run(["sh", "-euc", self.here(block("useradd"))], check=True)

    def _make_keys(self) -> None:
        for name in (*NAMED, UNNAMED, "host"):
            where = str(self.folder / f"key-{name}")
            make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", where]
            subprocess.run(make, check=True)
        line = self.here(block("restrict,pty"))
        lines = [self._key_line(line, name) for name in NAMED]
        shared = re.sub(r" --key-file \S+ --name \w+", "", line)
        lines.append(self._key_line(shared, UNNAMED))
        (self.folder / "etc" / "guests").write_text("".join(lines))
        host = (self.folder / "key-host.pub").read_text()
        (self.folder / "known").write_text(f"[127.0.0.1]:{self.ssh_port} {host}")

    def _key_line(self, line: str, name: str) -> str:
        public = (self.folder / f"key-{name}.pub").read_text().split()[1]
        assert line.count("AAAA...") == 1
        return line.replace("--name ana", f"--name {name}").replace("AAAA...", public)

    def _write_limits(self) -> None:
        text = self.here(block("# /etc/security/limits.d"))
        if LIMITS.is_dir():
            (LIMITS / f"{self.guests}.conf").write_text(text)

    def _start_server(self) -> None:
        unit = self.here(block("# /etc/systemd"))
        started = re.search(r"^ExecStart=(.+)$", unit, re.MULTILINE)
        assert started is not None
        assert f"User={self.server_account}\n" in unit
        data = self.folder / "data"  # what StateDirectory= does
        data.mkdir(mode=0o700)
        shutil.chown(data, self.server_account, self.server_account)
        command = [*shlex.split(started[1]), "--port", str(self.port)]
        self.server = subprocess.Popen(
            command,
            user=self.server_account,
            group=self.server_account,
            extra_groups=(),
            stdout=subprocess.PIPE,
            cwd="/",
        )
        self._cleaning.callback(end, self.server)
        assert self.server.stdout is not None
        ready = self.server.stdout.readline()
        assert b"ready on 127.0.0.1" in ready, ready

    def _start_sshd(self) -> None:
        own = self.folder / "sshd.d"
        own.mkdir()
        (own / "facedown.conf").write_text(with_timeout(self.here(block("# /etc/ssh"))))
        config = self.folder / "sshd_config"
        config.write_text(
            f"Include {own}/*.conf\n{DEBIAN}Port {self.ssh_port}\nListenAddress 127.0.0.1\n"
            f"HostKey {self.folder}/key-host\nPidFile none\nMaxStartups 100\n"
        )
        if not RUN.exists():
            RUN.mkdir(mode=0o755)
            self._cleaning.callback(self._remove_run)
        assert SSHD is not None
        subprocess.run([SSHD, "-t", "-f", str(config)], check=True)
        log = (self.folder / "sshd.log").open("wb")
        self._cleaning.callback(log.close)
        sshd = subprocess.Popen([SSHD, "-D", "-e", "-f", str(config)], stderr=log)
        self._cleaning.callback(end, sshd)
        wait_until(lambda: can_connect(self.ssh_port), "sshd never listened")

    def _remove_run(self) -> None:
        """The folder is everybody's: the last box that needs it takes it away."""
        if set(FOLDERS.glob("facedown-box*")) <= {self.folder}:
            RUN.rmdir()

    # --- as guests do -----------------------------------------------------------------------------

    def options(self, name: str) -> tuple[str, ...]:
        """What every program of OpenSSH needs to get in as this guest, and nothing of this user's."""
        return (
            "-F",
            "none",
            *("-i", str(self.folder / f"key-{name}")),
            *("-o", "BatchMode=yes"),
            *("-o", "IdentitiesOnly=yes"),
            *("-o", f"UserKnownHostsFile={self.folder}/known"),
            *("-o", f"Port={self.ssh_port}"),
        )

    def address(self) -> str:
        """The account of the guests, on this box."""
        return f"{self.guests}@127.0.0.1"

    @contextlib.contextmanager
    def login(
        self, name: str, *asked: str, options: Sequence[str] = (), term: str = "dumb", **more: str
    ) -> Iterator[OnPty]:
        """Log in with a terminal, as `ssh -tt play@box ...`."""
        command = ("ssh", "-tt", *self.options(name), *options, "--", self.address(), *asked)
        environment = {**os.environ, "TERM": term, "LC_ALL": "C.UTF-8", **more}
        with on_a_pty(*command, environment=environment) as session:
            yield session

    def without_a_terminal(
        self, name: str, *arguments: str, program: str = "ssh"
    ) -> "subprocess.CompletedProcess[str]":
        """Run one of OpenSSH's programs as this guest, to its end."""
        return subprocess.run(
            (program, *self.options(name), *arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE_S,
            check=False,
        )

    def processes(self) -> list[Path]:
        """The running programs of the guests, as folders below /proc; without sshd's own."""
        return processes_of(self.guests)


@contextlib.contextmanager
def a_box() -> Iterator[Box]:
    """A box, until the block ends."""
    with contextlib.ExitStack() as cleaning:
        yield Box(cleaning)


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def can_connect(port: int) -> bool:
    """Whether somebody listens there."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def wait_until(holds: Callable[[], object], otherwise: str) -> None:
    """Look again and again until something holds."""
    limit = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < limit, otherwise
        time.sleep(0.02)


def end(process: "subprocess.Popen[bytes]") -> None:
    """Stop a program: first politely, then not."""
    process.terminate()
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def processes_of(account: str) -> list[Path]:
    """The programs that run under an account, by their real user id; without sshd's own."""
    try:
        uid = pwd.getpwnam(account).pw_uid
    except KeyError:
        return []
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            status = (folder / "status").read_text()
            if re.search(rf"^Uid:\t{uid}\t", status, re.MULTILINE) and "Name:\tsshd" not in status:
                found.append(folder)
    return found


def environment_of(process: Path) -> dict[str, str]:
    """What a running program was started with."""
    pairs = (process / "environ").read_text().split("\0")
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)


def kill_all_of(account: str) -> None:
    """Kill whatever still runs under an account that a test has made."""
    while processes := processes_of(account):
        for folder in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(folder.name), signal.SIGKILL)
        time.sleep(0.02)


def remove_account(account: str) -> None:
    """Undo what making an account has done."""
    kill_all_of(account)
    subprocess.run(["userdel", account], check=False, capture_output=True)
    (LIMITS / f"{account}.conf").unlink(missing_ok=True)


def clean_up_after_the_dead() -> None:
    """Remove what tests have made that were killed before they could."""
    for account in pwd.getpwall():
        who, number = account.pw_name.rstrip("0123456789"), re.search(r"\d+$", account.pw_name)
        if who in ACCOUNTS and number and not Path("/proc", number[0]).exists():
            remove_account(account.pw_name)
    for folder in FOLDERS.glob("facedown-box*-*"):
        number = re.match(r"facedown-box(\d+)-", folder.name)
        if number and not Path("/proc", number[1]).exists():
            shutil.rmtree(folder)
