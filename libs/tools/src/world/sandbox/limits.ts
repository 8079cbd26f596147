import type { SandboxLimits } from '../../kit/index.ts';

/** Begins the line of our shells when a limit cannot be set, at exit 125. */
export const LIMITS_FAILURE = 'everturn-limits: ';

// dash calls the number of processes p, bash u, where p is something else that cannot be set.
const SET_LIMITS = `
set_limit() { ulimit "$@" 2>/dev/null; }
[ -z "$1" ] || set_limit -t "$1" || failed='CPU time'
[ -z "$2" ] || set_limit -d "$2" || failed=memory
[ -z "$3" ] || set_limit -f "$3" || failed='file size'
[ -z "$4" ] || set_limit -u "$4" || set_limit -p "$4" || failed=processes
[ -z "$failed" ] || { echo "${LIMITS_FAILURE}the limit of $failed cannot be set" >&2; exit 125; }
shift 4
exec "$@"`;

/** What stands before a command so that it and what it starts keep the limits; nothing where there are none. */
export function limitPrefix({ cpuSeconds, memoryBytes, processes, fileBytes }: SandboxLimits): string[] {
  const given = [inUnits(cpuSeconds, 1), inUnits(memoryBytes, 1024), inUnits(fileBytes, 512), inUnits(processes, 1)];
  return given.every((value) => value === '') ? [] : ['sh', '-c', SET_LIMITS, 'sh', ...given];
}

const inUnits = (value: number | undefined, unit: number): string =>
  value === undefined ? '' : String(Math.max(1, Math.floor(value / unit)));
