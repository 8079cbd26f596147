import type { SandboxPolicy } from '../../kit/index.ts';

/**
 * What root keeps inside: file permissions and other users, so that a worker run by root handles a workspace of
 * somebody else as outside. Without the list bubblewrap leaves root every capability, remounting included.
 */
const ROOT_CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID'];

/**
 * Switches of the kernel that root may write without any capability: a handler of core dumps is a program run outside.
 * Bubblewrap covers what it thinks it could write itself, and is misled about the first.
 */
const KERNEL_SWITCHES = [
  '/proc/sys',
  '/proc/sysrq-trigger',
  '/proc/irq',
  '/proc/bus',
  '/proc/fs',
  '/proc/acpi',
  '/proc/scsi',
];

/** With these root enters the network of another process, or the process itself. */
const WAYS_TO_OTHER_NETWORKS = ['SYS_ADMIN', 'SYS_PTRACE'];

/** Sockets through which a service runs commands for whoever may write to them, outside of any sandbox. */
export const DOORS = [
  '/run/docker.sock',
  '/run/containerd/containerd.sock',
  '/run/crio/crio.sock',
  '/run/podman/podman.sock',
  '/run/systemd/private',
  '/run/dbus/system_bus_socket',
];

/** Folders of a user's own services, which do what they are asked outside of any sandbox, too (`systemd-run --user`). */
export const SERVICE_FOLDERS = ['/run/user'];

export interface BubblewrapInput {
  /** Absolute path of `bwrap`. */
  program: string;
  policy: Pick<SandboxPolicy, 'mode' | 'network' | 'root' | 'scratch' | 'limits'>;
  cwd: string;
  /** Whether the worker runs as root. */
  root: boolean;
  /** Sockets that exist and shall not. */
  doors: readonly string[];
  /** Folders that exist and shall be empty. */
  hidden: readonly string[];
  /** Folders below emptied ones that stay in sight, because programs are looked for there. */
  visible: readonly string[];
}

/** The command line of bubblewrap up to the confined command. Everything is read-only but what the mode adds. */
export function bubblewrapArguments(input: BubblewrapInput): string[] {
  const { program, policy, cwd, root, doors, hidden, visible } = input;
  const { mode, network, scratch } = policy;
  const confined = mode !== 'danger-full-access';
  const base =
    mode === 'danger-full-access'
      ? ['--dev-bind', '/', '/']
      : ['--ro-bind', '/', '/', '--dev', '/dev', '--unshare-pid', '--proc', '/proc', ...(root ? covered() : [])];
  return [
    program,
    ...base,
    '--die-with-parent',
    ...(confined ? hidden.flatMap((folder) => emptied(folder, input)) : []),
    ...(mode === 'workspace-write' ? [...writable(policy, visible), ...placeFor('/tmp', input)] : []),
    ...(mode === 'read-only' ? ownBelow('/dev', input) : []),
    ...(confined ? placeFor('/dev', input) : []),
    ...(mode === 'read-only' && scratch !== undefined ? ['--bind', scratch, scratch] : []),
    ...(confined ? doors.flatMap((door) => ['--ro-bind', '/dev/null', door]) : []),
    ...(network === 'none' ? ['--unshare-net'] : []),
    ...(confined ? capabilities(root) : keptFromNetworks(root)),
    '--chdir',
    cwd,
    '--',
  ];
}

/** A folder with nothing in it but what is the session's own, and programs. What is mounted in it must be before it is closed. */
function emptied(folder: string, input: BubblewrapInput): string[] {
  const programs = seen(folder, input.visible);
  const inside = [...programs, ...ownBelow(folder, input), ...placeFor(folder, input)];
  return ['--tmpfs', folder, ...inside, '--remount-ro', folder];
}

const seen = (folder: string, visible: readonly string[]): string[] =>
  visible.flatMap((path) => (isBelow(path, folder) ? ['--ro-bind-try', path, path] : []));

function ownBelow(folder: string, { policy: { mode, root } }: BubblewrapInput): string[] {
  return isBelow(root, folder) ? [mode === 'workspace-write' ? '--bind' : '--ro-bind', root, root] : [];
}

/**
 * A command's own folder below an empty one would be missing: it finds an empty one in its place, as a model that may
 * name the folder, and make links, would have any other opened to it by this.
 */
function placeFor(folder: string, { policy: { root }, cwd }: BubblewrapInput): string[] {
  return isBelow(cwd, folder) && cwd !== root && !isBelow(cwd, root) ? ['--dir', cwd] : [];
}

function writable({ root, limits: { fileBytes } }: BubblewrapInput['policy'], visible: readonly string[]): string[] {
  const size = fileBytes === undefined ? [] : ['--size', String(fileBytes)];
  const empty = (folder: string) => [...size, '--tmpfs', folder];
  const shared = size.length > 0 ? empty('/dev/shm') : [];
  return [...empty('/tmp'), ...shared, ...seen('/tmp', visible), '--bind', root, root];
}

/** What bubblewrap's commands find in their environment besides what others do. */
export const bubblewrapEnvironment = ({ mode }: SandboxPolicy): Record<string, string | undefined> => ({
  ...(mode === 'danger-full-access' ? {} : { XDG_RUNTIME_DIR: undefined }),
  ...(mode === 'workspace-write' && { TMPDIR: '/tmp' }),
});

/** The folders of a PATH value that emptied ones would hide; links of `node_modules/.bin` lead into its parent. */
export function visibleFolders(searchPath: string): string[] {
  const below = searchPath.split(':').filter((path) => ['/tmp', ...SERVICE_FOLDERS].some((it) => isBelow(path, it)));
  return [...new Set(below.map((folder) => folder.replace(/(?<=\/node_modules)\/\.bin\/?$/, '')))];
}

function capabilities(root: boolean): string[] {
  return ['--cap-drop', 'ALL', ...(root ? ROOT_CAPABILITIES.flatMap((name) => ['--cap-add', `CAP_${name}`]) : [])];
}

const covered = (): string[] => KERNEL_SWITCHES.flatMap((path) => ['--ro-bind-try', path, path]);

/** Under full access bubblewrap is there for nothing but the network. */
const keptFromNetworks = (root: boolean): string[] =>
  root ? WAYS_TO_OTHER_NETWORKS.flatMap((name) => ['--cap-drop', `CAP_${name}`]) : [];

const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
