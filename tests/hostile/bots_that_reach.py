"""Bots that reach for files, the network, and notes of an earlier life."""

from hostile.hostile_bot import Hostile, tries

__all__ = ["MEDDLING", "NETWORK", "NOTES", "PRINTS", "READING", "WRITING"]

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

READING = (
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

WRITING = (
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

NETWORK = (
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

PRINTS = (
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
