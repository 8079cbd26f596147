# Runs a command that may write below the given paths only: landlock-run.py [--rw PATH]... -- PROGRAM [ARGUMENT]...
# Reading is not restricted. Exits with 125 and a line "landlock-run: ..." when it cannot confine the command.
# A script, because Node calls no system calls of its own and no package registry carries such a runner for it.
import ctypes
import os
import struct
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
PR_SET_NO_NEW_PRIVS = 38
WRITE_FILE, TRUNCATE = 1 << 1, 1 << 14
REFER = 1 << 13
# Remove and make entries of every kind (bits 4 to 12).
ENTRIES = sum(1 << bit for bit in range(4, 13))
MAKE_DEVICES = 1 << 6 | 1 << 11
SCOPE_SIGNAL = 1 << 1
DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"]
PR_CAPBSET_DROP, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 24, 47, 4
# What root keeps: chown, dac_override, fowner, fsetid, kill, setgid, setuid. The rest changes the machine, not files.
KEPT_CAPABILITIES = 0xFB
PARTIAL = "landlock-run: partial enforcement: this kernel cannot refuse every kind of write"

libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    result = libc.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def fail(message):
    print(f"landlock-run: {message}", file=sys.stderr)
    sys.exit(125)


def handled_by(abi):
    return WRITE_FILE | ENTRIES | (REFER if abi >= 2 else 0) | (TRUNCATE if abi >= 3 else 0)


def allow(ruleset, path, access):
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    call(ADD_RULE, ruleset, 1, struct.pack("=Qi", access, folder), 0)
    os.close(folder)


def allow_real(ruleset, path, access):
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if os.readlink(f"/proc/self/fd/{folder}") != os.path.normpath(path):
        fail(f"{path} has become a link")
    call(ADD_RULE, ruleset, 1, struct.pack("=Qi", access, folder), 0)
    os.close(folder)


def confine(paths):
    abi = call(CREATE_RULESET, None, 0, 1)
    handled = handled_by(abi)
    attributes = struct.pack("=QQQ", handled, 0, SCOPE_SIGNAL)
    size = 24 if abi >= 6 else 8
    ruleset = call(CREATE_RULESET, attributes, ctypes.c_size_t(size), 0)
    for path in paths:
        allow_real(ruleset, path, handled & ~MAKE_DEVICES)
    for path in filter(os.path.exists, DEVICES):
        allow(ruleset, path, handled & (WRITE_FILE | TRUNCATE))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        fail("no_new_privs cannot be set")
    call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    if abi < 3:
        print(PARTIAL, file=sys.stderr)


def drop_capabilities():
    if os.geteuid() != 0:
        return
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    for capability in range(64):
        # The first that the kernel does not know ends the list.
        if not KEPT_CAPABILITIES >> capability & 1 and libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            if ctypes.get_errno() != 22:
                fail("capabilities cannot be dropped")
            break
    header = struct.pack("=Ii", 0x20080522, 0)
    data = struct.pack("=6I", KEPT_CAPABILITIES, KEPT_CAPABILITIES, 0, 0, 0, 0)
    if libc.capset(header, data) != 0:
        fail("capabilities cannot be dropped")


def main(arguments):
    paths = []
    while arguments and arguments[0] == "--rw":
        paths.append(arguments[1])
        arguments = arguments[2:]
    if arguments[:1] != ["--"] or len(arguments) < 2:
        fail("usage: [--rw PATH]... -- PROGRAM [ARGUMENT]...")
    try:
        confine(paths)
        drop_capabilities()
    except (OSError, AttributeError) as error:
        fail(f"cannot confine: {error}")
    try:
        os.execvp(arguments[1], arguments[1:])
    except OSError as error:
        fail(f"cannot start {arguments[1]}: {error}")


main(sys.argv[1:])
