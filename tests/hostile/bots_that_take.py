"""Bots that take memory, processes and what belongs to others."""

from hostile.hostile_bot import Hostile, tries

__all__ = ["MEMORY", "PROCESSES"]

MEMORY = (
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

PROCESSES = (
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
