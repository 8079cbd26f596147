import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../process/attempt.ts';
import { packagesOf } from './packages-of.ts';

const FOLDER = 'chromium-unpacked';

/** The browser that {@link unpackChromium} left here, if it still runs: the libraries of the machine may have changed. */
export async function unpackedChromium(cache: string): Promise<string | undefined> {
  const program = join(cache, FOLDER, 'chromium');
  if (!existsSync(program)) return undefined;
  return attempt(program, ['--version']).then(
    () => program,
    () => undefined,
  );
}

/**
 * Makes a browser of the packages that the machine lacks for one, without installing any: apt checks what it downloads
 * by the signed lists, in folders of our own. Throws where there is no apt, no network or no such package.
 */
export async function unpackChromium(cache: string, tell: (text: string) => void): Promise<string> {
  const work = join(cache, `${FOLDER}.${process.pid}`);
  const [lists, archives, packages, root] = ['lists/partial', 'archives/partial', 'packages', 'root'].map((name) =>
    join(work, name),
  ) as [string, string, string, string];
  for (const folder of [lists, archives, packages, root]) mkdirSync(folder, { recursive: true });
  const apt = (args: string[]) =>
    attempt(
      'apt-get',
      [`-oDir::State::lists=${join(lists, '..')}`, `-oDir::Cache=${work}`, '-oDebug::NoLocking=1', '-qq', ...args],
      packages,
    );
  try {
    tell('fetching chromium with apt-get (about 100 MB, and what it needs that the machine lacks)');
    await apt(['update']);
    const missing = packagesOf(await apt(['install', '--print-uris', '-y', '--no-install-recommends', 'chromium']));
    if (missing.length === 0) throw new Error('chromium is installed, and not on PATH');
    await apt(['download', ...missing]);
    for (const file of readdirSync(packages)) await attempt('dpkg-deb', ['-x', join(packages, file), root]);
    const folder = join(cache, FOLDER);
    for (const used of [lists, archives, packages]) rmSync(used, { recursive: true, force: true });
    writeFileSync(join(work, 'chromium'), launcher(join(folder, 'root')));
    chmodSync(join(work, 'chromium'), 0o755);
    rmSync(folder, { recursive: true, force: true });
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const program = await unpackedChromium(cache);
  if (program === undefined) throw new Error('what was unpacked does not run on this machine');
  return program;
}

/** Debian's own starter reads the system's settings; this one finds the libraries and fonts that were unpacked, too. */
const launcher = (root: string): string =>
  `#!/bin/sh
R='${root.replaceAll("'", `'\\''`)}'
L="$R/usr/lib/$(uname -m)-linux-gnu"
export LD_LIBRARY_PATH="$L:$L/nss:$R/lib/$(uname -m)-linux-gnu\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_PATH="$R/etc/fonts"
exec "$R/usr/lib/chromium/chromium" "$@"
`;
