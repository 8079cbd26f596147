import { fail, ok, type Finding } from './finding.ts';

const OLDEST: readonly [number, number, number] = [22, 22, 2];

/** The Node this runs on, which is the one all processes of this checkout run on. */
export function checkNode(version: string = process.versions.node): Finding[] {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const at = OLDEST.findIndex((oldest, index) => (parts[index] ?? 0) !== oldest);
  const old = at !== -1 && (parts[at] ?? 0) < (OLDEST[at] ?? 0);
  const place = `${process.platform}-${process.arch}`;
  if (!old) return [ok('Node', `${version} (${place})`)];
  return [
    fail(
      'Node',
      `${version} is older than ${OLDEST.join('.')}`,
      'run `npm ci`, which brings Node 24 along, or install Node 24',
    ),
  ];
}
