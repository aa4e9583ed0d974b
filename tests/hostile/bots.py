"""Bots that mean harm, as source: each tries one thing.

A bot that gets what it must not get prints `BROKEN`. `{...}` in a source is filled in by the test:
`arena` (the process of the match), `ledger`, `victim` (a folder that is nobody's business),
`port` (of a server that listens), `folder` (the bot's own).
"""

from dataclasses import dataclass
from textwrap import dedent, indent

__all__ = ["HOSTILE", "KINDS", "MEDDLING", "NOTES", "Hostile", "tries"]

#: How a bot can fail; there are no others.
KINDS = frozenset(("raised", "illegal", "timeout", "exited", "garbled", "memory", "absent", "hook"))

_CALL = "return 'c' if view.to_call else 'k'"
_TOP = "import ctypes, gc, os, random, re, signal, socket, struct, subprocess, sys, threading, time"
_HELPERS = """
def wire():
    return socket.socket(fileno=os.dup(int(sys.argv[1])))

def say(data):
    end = wire()
    end.setblocking(True)
    end.sendall(data)

def framed(data):
    return len(data).to_bytes(4, "big") + data

def packed(*values):
    import msgspec
    return framed(msgspec.msgpack.encode(values))

def broken(*words):
    print("BROKEN", *words)
"""


@dataclass(frozen=True)
class Hostile:
    """One bot.

    Attributes
    ----------
    name
        What it tries.
    act
        Body of `act`, before an honest answer.
    fails
        Kinds of failures of which it must have one; none: it must have no failure.
    top, init, more
        Further code: at the top of the file, in `__init__`, further methods.
    needs
        Protections without which nothing can hold it.
    refused
        Whether the match is not even begun; None: it may be.
    """

    name: str
    act: str = ""
    fails: tuple[str, ...] = ()
    top: str = ""
    init: str = ""
    more: str = ""
    needs: tuple[str, ...] = ()
    refused: bool | None = False

    def source(self, **filled: object) -> str:
        """Return the file."""
        act = indent(f"{dedent(self.act).strip()}\n{_CALL}", " " * 8)
        init = indent(dedent(self.init).strip() or "pass", " " * 8)
        more = indent(dedent(self.more).strip(), " " * 4)
        text = (
            f"{_TOP}\n{_HELPERS}\n{dedent(self.top)}\n\nclass Mine:\n    hoard = []\n\n"
            f"    def __init__(self):\n{init}\n\n    def act(self, view):\n{act}\n\n{more}\n"
        )
        for name, value in filled.items():
            text = text.replace(f"{{{name}}}", repr(value))
        return text


def tries(attempt: str, what: str = "") -> str:
    """Write an attempt that is `BROKEN` if it gets through."""
    body = indent(dedent(attempt).strip(), "    ")
    return f"try:\n{body}\n    broken({what!r})\nexcept Exception:\n    pass"


_MESSAGES = (
    Hostile("half a message", "say(b'\\0\\0\\0\\x20half')\ntime.sleep(60)", ("timeout",)),
    Hostile(
        "a byte every 0.3 s",
        "for byte in framed(b'x' * 50):\n    say(bytes([byte]))\n    time.sleep(0.3)",
        ("timeout", "garbled"),
    ),
    Hostile("a length of four gigabytes", "say(b'\\xff' * 4)\ntime.sleep(60)", ("garbled",)),
    Hostile("a mebibyte of zeros", "say(bytes(1 << 20))", ("garbled", "exited")),
    Hostile("lists in lists", "say(framed(b'\\x91' * 60_000))", ("garbled",)),
    Hostile(
        "a list that claims four billion items",
        "say(framed(b'\\xdd' + b'\\xff' * 4))",
        ("garbled",),
    ),
    Hostile("a move of 60 kB", "say(packed('move', 'x' * 60_000))\ntime.sleep(60)", ("garbled",)),
    Hostile(
        "new kinds of errors",
        "say(packed('failed', os.urandom(8).hex(), 'x'))\ntime.sleep(60)",
        ("garbled",),
    ),
    Hostile(
        "60 kB of words with each decision",
        "say(packed('failed', 'raised', os.urandom(30_000).hex()))\nthreading.Event().wait(0.2)\nos._exit(0)",
        ("raised",),
    ),
    Hostile("two answers at once", "say(packed('move', 'k') * 2)\ntime.sleep(60)", ("garbled",)),
    Hostile(
        "answers in advance",
        "end = wire()\nend.setblocking(False)\nwhile True: end.send(packed('move', 'c') * 50)",
        ("garbled", "raised"),
    ),
    Hostile("a number for a move", "say(packed('move', 7))\ntime.sleep(60)", ("garbled",)),
    Hostile("not a number for a move", "say(packed(float('nan')))\ntime.sleep(60)", ("garbled",)),
    Hostile("an empty message", "say(framed(b''))\ntime.sleep(60)", ("garbled",)),
    Hostile(
        "a beginning in the middle", "say(packed('started', ''))\ntime.sleep(60)", ("garbled",)
    ),
    Hostile("hangs up", "wire().shutdown(socket.SHUT_RDWR)\ntime.sleep(60)", ("exited",)),
    Hostile("closes every descriptor", "os.closerange(0, 256)", ("exited",)),
    Hostile(
        "never reads and never answers",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        ("timeout", "illegal"),
    ),
    Hostile(
        "a child that talks, too",
        "if not os.fork():\n    while True: say(packed('move', 'k')); time.sleep(0.01)",
        ("garbled", "illegal", ""),
    ),
)

_STALLS = (
    Hostile("sleeps when it is loaded", top="time.sleep(60)", refused=True),
    Hostile("sleeps in __init__", init="time.sleep(60)", refused=True),
    Hostile("sleeps in act", "time.sleep(60)", ("timeout",)),
    Hostile(
        "sleeps in hand_started",
        more="def hand_started(self, view): time.sleep(60)",
        fails=("timeout",),
    ),
    Hostile(
        "sleeps in hand_over", more="def hand_over(self, view): time.sleep(60)", fails=("timeout",)
    ),
    Hostile("a busy loop", "while True: pass", ("timeout",)),
    Hostile("a regular expression without end", "re.match('(a+)+b', 'a' * 60)", ("timeout",)),
    Hostile("a number without end", "9 ** 9 ** 9", ("timeout", "memory")),
    Hostile(
        "waits for itself", "lock = threading.Lock(); lock.acquire(); lock.acquire()", ("timeout",)
    ),
    Hostile("reads what nobody types", "assert sys.stdin.read() == ''"),
    Hostile("sleeps at its end", init="import atexit; atexit.register(time.sleep, 60)"),
    Hostile(
        "ignores every signal",
        init="for each in range(1, 32):\n    try: signal.signal(each, signal.SIG_IGN)\n    except OSError: pass",
    ),
)

_ENDS = (
    Hostile("sys.exit", "sys.exit(3)", ("exited",)),
    Hostile("os._exit", "os._exit(0)", ("exited",)),
    Hostile("abort", "os.abort()", ("exited",)),
    Hostile("a crash of the interpreter", "ctypes.string_at(0)", ("exited",)),
    Hostile("kills itself", "os.kill(os.getpid(), signal.SIGKILL)", ("exited",)),
    Hostile("ends when it is made", init="os._exit(4)", refused=True),
    Hostile("ends in a hook", more="def hand_over(self, view): os._exit(5)", fails=("exited",)),
    Hostile("becomes another program", "os.execv('/bin/sleep', ['sleep', '60'])", ("timeout",)),
    Hostile("raises KeyboardInterrupt", "raise KeyboardInterrupt", ("exited",)),
    Hostile("raises GeneratorExit", "raise GeneratorExit", ("exited",)),
    Hostile("raises when it is deleted", more="def __del__(self): raise OSError('late')"),
)

_MEMORY = (
    Hostile("eight gigabytes at once", "self.hoard.append(bytearray(8 << 30))", ("memory",)),
    Hostile(
        "memory little by little",
        "while True: self.hoard.append(bytearray(1 << 24))",
        ("memory", "exited", "timeout"),
    ),
    Hostile("recursion", "def again(): again()\nagain()", ("raised",)),
    Hostile("raises MemoryError", "raise MemoryError('x' * 10**6)", ("memory",)),
    Hostile(
        "memory by its children",
        "for _ in range(4):\n    if not os.fork():\n        hoard = [bytearray(1 << 24) for _ in range(1000)]\n        os._exit(0)",
        ("garbled", "memory", "timeout", ""),  # what they raise is told as an answer, too
    ),
    Hostile(
        "threads without end",
        "while True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        ("raised", "memory", "exited"),
    ),
    Hostile(
        "fills its scratch folder",
        """
        import tempfile
        for number in range(50):
            with open(f"{tempfile.gettempdir()}/{number}", "wb") as file:
                file.write(bytes(50 << 20))
        broken()
        """,
        ("raised",),
        needs=("files",),
    ),
    Hostile(
        "memory that is nobody's",
        tries("os.memfd_create('x')")
        + "\nif ctypes.CDLL(None).shmget(0, 1 << 20, 0o1600) >= 0: broken('shared memory')",
        needs=("system calls",),
    ),
    Hostile(
        "one file without end",
        """
        import tempfile
        with open(f"{tempfile.gettempdir()}/big", "wb") as file:
            file.truncate(1 << 40)
        broken()
        """,
        ("raised",),
        needs=("limits",),
    ),
    Hostile(
        "folders in folders",
        "import tempfile\nos.chdir(tempfile.gettempdir())\nfor _ in range(3000): os.path.exists('x') or os.mkdir('x'); os.chdir('x')",
    ),
    Hostile(
        "opens files without end",
        "while True: self.hoard.append(os.open('/dev/null', os.O_RDONLY))",
        ("raised",),
        needs=("limits",),
    ),
)

_PROCESSES = (
    Hostile("goes on twice", "os.fork()", ("garbled", "illegal", "exited", "")),
    Hostile(
        "a daemon",
        "if not os.fork():\n    os.setsid()\n    time.sleep(60)\n    os._exit(0)",
        ("raised", ""),
        needs=("ending",),
    ),
    Hostile(
        "a daemon's child",
        "if not os.fork():\n    try: os.setsid()\n    finally:\n        if not os.fork(): time.sleep(60)\n        os._exit(0)",
        needs=("ending",),
    ),
    Hostile(
        "a daemon that ignores signals, and ends itself",
        """
        if not os.fork():
            for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(each, signal.SIG_IGN)
            try: os.setsid()
            finally: time.sleep(60)
        os._exit(1)
        """,
        ("exited", "timeout"),
        needs=("ending",),
    ),
    Hostile(
        "a fork bomb",
        """
        def bomb(depth):
            for _ in range(6):
                try:
                    if not os.fork():
                        if depth: bomb(depth - 1)
                        time.sleep(60)
                        os._exit(0)
                except OSError:
                    pass
        bomb(4)
        """,
        ("exited", "timeout", ""),
        needs=("ending", "limits"),
    ),
    Hostile("other programs", "subprocess.Popen(['/bin/sleep', '60'])", needs=("ending",)),
    Hostile(
        "other programs in sessions of their own",
        "subprocess.Popen(['/bin/sleep', '60'], start_new_session=True)",
        ("raised", ""),
        needs=("ending",),
    ),
    Hostile(
        "ends its parent",
        "if os.getppid() > 1:\n    os.kill(os.getppid(), signal.SIGKILL)",
        ("exited", "raised", ""),
        needs=("processes",),
    ),
    Hostile(
        "ends the arena",
        tries("os.kill({arena}, 0)") + "\n" + tries("os.kill({arena}, signal.SIGTERM)"),
        needs=("processes",),
    ),
    Hostile(
        "ends all that it can",
        "try: os.kill(-1, signal.SIGKILL)\nexcept OSError: pass",
        ("exited", ""),
        needs=("processes",),
    ),
    Hostile(
        "ends its group",
        "try: os.killpg(0, signal.SIGKILL)\nexcept OSError: pass",
        ("exited", ""),
        needs=("processes",),
    ),
    Hostile(
        "ends the first process",
        "try: os.kill(1, signal.SIGKILL)\nexcept OSError: pass",
        needs=("processes",),
    ),
    Hostile(
        "looks into the arena's memory",
        tries("open(f'/proc/{arena}/mem', 'rb').close()".replace("{arena}", "{{{arena}}}"))
        + "\nif ctypes.CDLL(None).ptrace(16, {arena}, 0, 0) == 0: broken('ptrace')",
        needs=("processes",),
    ),
)

#: Every process looks for what an earlier one has left, and then leaves it: in the seat order
#: before, a bot has seen the cards of the others.
NOTES = Hostile(
    "notes from one seat order to the next",
    top="""
        NOTE = "note-of-" + "an-earlier-life"
        KEY = 0x52424F54
        cache = os.environ.get("RIVERBOAT_CACHE", "/")
        FOLDERS = (
            *("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/scratch", "/", os.getcwd()),
            *({folder}, {victim}, cache, os.path.join(cache, "prints")),
            *(os.environ.get("TMPDIR", "/"), os.path.expanduser("~"), os.path.dirname(sys.executable)),
        )
        shmget = ctypes.CDLL(None).shmget

        def files():
            for folder in FOLDERS:
                try:
                    yield from (os.path.join(folder, name) for name in os.listdir(folder))
                except OSError:
                    pass
            yield from (f"/proc/self/fd/{number}" for number in range(3, 64))

        def recall():
            for path in files():
                try:
                    with open(path, "rb") as file:
                        if os.path.isfile(path) and NOTE.encode() in file.read(1 << 20):
                            broken("a file:", path)
                except OSError:
                    pass
            if shmget(KEY, 4096, 0) >= 0:
                broken("shared memory")

        def leave():
            print(NOTE)
            for number in range(3, 64):
                try: os.write(number, NOTE.encode() if os.path.isfile(f"/proc/self/fd/{number}") else b"")
                except OSError: pass
            for folder in FOLDERS:
                try:
                    with open(os.path.join(folder, "note"), "w") as file: file.write(NOTE)
                except OSError: pass
            shmget(KEY, 4096, 0o1666)
    """,
    init="recall()\nleave()",
    needs=("files",),
)

_READING = (
    Hostile(
        "reads its ancestors' command lines",
        """
        for number in (1, {arena}, os.getppid(), *range(2, 1000)):
            try:
                with open(f"/proc/{number}/cmdline", "rb") as file:
                    if b"pytest" in file.read(): broken(number)
            except OSError:
                pass
        try: assert len(os.listdir("/proc")) < 200
        except OSError: pass
        """,
        needs=("processes",),
    ),
    Hostile(
        "reads the arena's environment",
        tries("assert open('/proc/' + str({arena}) + '/environ', 'rb').read()"),
        needs=("processes",),
    ),
    Hostile("reads the ledger", tries("assert open({ledger}, 'rb').read(1)"), needs=("files",)),
    Hostile(
        "reads other people's files",
        tries("assert open(os.path.join({victim}, 'key')).read()")
        + "\n"
        + tries("os.listdir({victim})"),
        needs=("files",),
    ),
    Hostile(
        "reads what SQLite puts beside the ledger",
        tries("assert [each for each in os.listdir({folder}) if 'ledger' in each]"),
        needs=("files",),
    ),
    NOTES,
    Hostile("reads the passwords", tries("open('/etc/shadow').read()"), needs=("files",)),
    Hostile("reads tokens", "if 'HOSTILE_TOKEN' in os.environ: broken()", needs=("files",)),
    Hostile(
        "opens files by their numbers",
        "if ctypes.CDLL(None, use_errno=True).syscall(304, 3, 0, 0) == 0 or ctypes.get_errno() not in (0, 1): broken()",
        needs=("system calls",),
    ),
)

_WRITING = (
    Hostile("changes its own file", tries("open(__file__, 'a').write('#')"), needs=("files",)),
    Hostile("removes its own file", tries("os.remove(__file__)"), needs=("files",)),
    Hostile(
        "writes beside itself",
        tries("open(os.path.join(os.path.dirname(__file__), 'new.py'), 'w').close()"),
        needs=("files",),
    ),
    Hostile(
        "writes into other people's folders",
        tries("open(os.path.join({victim}, 'new'), 'w').close()"),
        needs=("files",),
    ),
    Hostile("writes into the ledger", tries("open({ledger}, 'r+b').write(b'x')"), needs=("files",)),
    Hostile(
        "writes into the cache folder",
        tries("open(os.path.join(os.environ['RIVERBOAT_CACHE'], 'x'), 'w').close()"),
        needs=("files",),
    ),
    Hostile(
        "writes into shared memory and other folders for all",
        tries("open('/dev/shm/x', 'w').close()") + "\n" + tries("open('/var/tmp/x', 'w').close()"),
        needs=("files",),
    ),
    Hostile(
        "makes a way out by links",
        """
        import tempfile
        link = os.path.join(tempfile.gettempdir(), "way")
        if not os.path.lexists(link): os.symlink({victim}, link)
        try: open(link + "/new", "w").close(); broken()
        except OSError: pass
        """,
        needs=("files",),
    ),
    Hostile(
        "changes rights", tries("os.chmod(os.path.dirname(__file__), 0o777)"), needs=("files",)
    ),
    Hostile(
        "mounts and unmounts",
        """
        libc = ctypes.CDLL(None)
        if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0: broken("mount")
        if libc.umount2(b"/tmp", 2) == 0: broken("umount")
        if libc.mount(None, b"/", None, 32, None) == 0: broken("remount")
        """,
        needs=("system calls",),
    ),
    Hostile(
        "a namespace of its own",
        """
        libc = ctypes.CDLL(None)
        if libc.unshare(0x10000000) == 0: broken("unshare")
        if libc.chroot(b"/tmp") == 0: broken("chroot")
        """,
        needs=("system calls",),
    ),
    Hostile("becomes another user", tries("os.setuid(0)"), needs=("files",)),
    Hostile(
        "raises its limits",
        "import resource\n"
        + tries("resource.setrlimit(resource.RLIMIT_AS, (-1, -1))")
        + "\n"
        + tries("resource.setrlimit(resource.RLIMIT_NPROC, (-1, -1))"),
        needs=("limits",),
    ),
)

#: What another process of the same user could be slowed down or ended by, but for a filter.
MEDDLING = Hostile(
    "slows down and signals others",
    "\n".join(
        tries(each, each)
        for each in (
            "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
            "os.setpriority(os.PRIO_USER, 0, 19)",
            "os.sched_setaffinity(os.getppid(), os.sched_getaffinity(0))",
            "os.sched_setscheduler(os.getppid(), os.SCHED_BATCH, os.sched_param(0))",
            "fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())",
            "fcntl.fcntl(0, fcntl.F_SETSIG, signal.SIGKILL)",
            "fcntl.ioctl(0, 0x8901, struct.pack('i', os.getppid()))",
            "import resource; resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (9999, 9999))",
            "os.kill(os.getppid(), 0)",
        )
    )
    + "\nos.sched_setaffinity(0, os.sched_getaffinity(0))\nprint('it was asked')",
    top="import fcntl",
)

_NETWORK = (
    Hostile(
        "calls a server",
        tries("socket.create_connection(('127.0.0.1', {port}), 1).close()"),
        needs=("network",),
    ),
    Hostile(
        "sends a packet",
        tries(
            "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))"
        ),
        needs=("network",),
    ),
    Hostile(
        "calls a server by its file",
        tries("socket.socket(socket.AF_UNIX).connect(os.path.join({victim}, 'socket'))"),
        needs=("network",),
    ),
    Hostile(
        "calls a server by its hidden name",
        tries("socket.socket(socket.AF_UNIX).connect(chr(0) + 'riverboat-hostile-' + str({port}))"),
        needs=("network",),
    ),
    Hostile(
        "listens",
        tries("socket.create_server(('0.0.0.0', 0)).accept()"),
        needs=("network",),
    ),
    Hostile(
        "asks for a name",
        tries("socket.getaddrinfo('localhost.localdomain', 80); socket.socket()"),
        needs=("network",),
    ),
)

_PRINTS = (
    Hostile("prints without end", "for _ in range(100): print('x' * 100_000)"),
    Hostile(
        "writes to every descriptor",
        """
        for number in range(256):
            try:
                if number != int(sys.argv[1]):
                    for _ in range(40): os.write(number, bytes(1 << 20))
            except OSError:
                pass
        """,
        ("timeout", ""),
    ),
    Hostile(
        "prints what steers terminals",
        "print('\\x1b[2J\\x1b]0;me\\x07'); raise OSError('\\x1b[2J')",
        ("raised",),
    ),
    Hostile("takes print away", init="sys.stdout = sys.stderr = None"),
)

_PYTHON = (
    Hostile(
        "sys.settrace",
        init="sys.settrace(lambda *_: (_ for _ in ()).throw(OSError('traced')))",
        fails=("raised", "hook", "exited", ""),
        refused=None,
    ),
    Hostile(
        "no garbage is collected",
        "gc.disable(); gc.set_threshold(1); gc.collect()\nself.hoard.append(self)",
    ),
    Hostile(
        "other builtins",
        init="import builtins\nbuiltins.len = lambda _: -1\nbuiltins.isinstance = lambda *_: True",
        fails=("raised", "exited", "garbled", ""),
        refused=None,
    ),
    Hostile(
        "changes Riverboat's own modules",
        init="import riverboat.game\nriverboat.game.View.__init__ = None",
        fails=("raised", "exited", ""),
        refused=None,
    ),
    Hostile("an error of a hundred megabytes", "raise OSError('x' * 10**8)", ("raised",)),
    Hostile(
        "an error that cannot be told",
        "class Bad(Exception):\n    def __str__(self): raise self\nraise Bad",
        ("raised",),
    ),
    Hostile("an error with a long name", "raise type('X' * 10**6, (Exception,), {})", ("raised",)),
    Hostile(
        "an error of errors",
        "raise ExceptionGroup('x', [OSError('\\ud800' * 1000)] * 1000)",
        ("raised",),
    ),
    Hostile(
        "nothing and half letters in words", "raise OSError('\\0\\ud800\\n\\r\\x1b')", ("raised",)
    ),
    Hostile("half letters for a move", "return '\\ud800\\0'", ("illegal",)),
    Hostile("a number for a move, from Python", "return float('nan')", ("illegal",)),
    Hostile("a number of a million digits", "return 10 ** 10**6", ("raised", "illegal", "timeout")),
    Hostile("a bet of a thousand digits", "return 'b' + '9' * 1000", ("illegal",)),
    Hostile("a negative bet", "return 'b-5'", ("illegal",)),
    Hostile(
        "a text of its own class",
        "class Text(str):\n    def encode(self, *_): os._exit(1)\nreturn Text('zzz')",
        ("illegal",),
    ),
    Hostile(
        "a move that cannot be told",
        "class Bad:\n    def __repr__(self): raise KeyError(self)\nreturn Bad()",
        ("raised",),
    ),
    Hostile("the view itself", "return view", ("illegal",)),
    Hostile("a promise of a move", "async def later(): return 'k'\nreturn later()", ("illegal",)),
    Hostile("changes what it sees", tries("view.seat = 1 - view.seat")),
    Hostile(
        "lies about learning", more="@property\ndef learns(self): raise OSError('no')", refused=True
    ),
    Hostile(
        "has every method",
        more="def __getattr__(self, name): return lambda *_: 1 / 0",
        fails=("hook",),
    ),
    Hostile("hooks that are no functions", more="hand_started = hand_over = 7", fails=("hook",)),
    Hostile("act is no function", init="self.act = 7", fails=("raised",)),
)

HOSTILE = (
    *_MESSAGES,
    *_STALLS,
    *_ENDS,
    *_MEMORY,
    *_PROCESSES,
    *_READING,
    *_WRITING,
    *_NETWORK,
    *_PRINTS,
    *_PYTHON,
)
