import { expect, test } from 'vitest';
import { packagesOf } from './packages-of.ts';

test('reads the packages apt would fetch, and nothing else it prints', () => {
  const printed = [
    'Reading package lists...',
    "'http://mirror/pool/main/c/chromium/chromium_154.0-1_amd64.deb' chromium_154.0-1_amd64.deb 81000000 SHA256:ab",
    "'http://mirror/pool/main/libx/libxnvctrl/libxnvctrl0_525%2b1_amd64.deb' libxnvctrl0_525+1_amd64.deb 27000 SHA256:cd",
    '',
  ].join('\n');
  expect(packagesOf(printed)).toEqual(['chromium', 'libxnvctrl0']);
  expect(packagesOf('')).toEqual([]);
});
