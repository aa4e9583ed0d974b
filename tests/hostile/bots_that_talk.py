"""Bots that answer wrongly, late, or not at all."""

from hostile.hostile_bot import Hostile, tries

__all__ = ["ENDS", "MESSAGES", "PYTHON", "STALLS"]

MESSAGES = (
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

STALLS = (
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

ENDS = (
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

PYTHON = (
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
