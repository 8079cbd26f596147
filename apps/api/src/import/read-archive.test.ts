import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { readArchive } from './read-archive.ts';

const archive = (header: object): Promise<Buffer> => {
  const zip = new ZipFile();
  zip.addBuffer(
    Buffer.from(JSON.stringify({ header: { version: 0, id: 's', createdAt: 1, ...header } })),
    'session.json',
  );
  zip.addBuffer(Buffer.from('{}\n'), 'events.jsonl');
  zip.end();
  return buffer(zip.outputStream);
};

test('an archive that says it holds more than 64 MiB is not unpacked', async () => {
  const whole = await archive({});
  // How large it is unpacked, as the list of entries at the end says.
  const entry = whole.lastIndexOf('events.jsonl') - 46;
  whole.writeUInt32LE(64 * 1024 * 1024, entry + 24);
  await expect(readArchive(whole)).rejects.toMatchObject({
    code: 'IMPORT_REFUSED',
    message: expect.stringContaining('larger than the 67108864 bytes'),
  });
});

test('what a session says of itself is read, its folder only as it could have been asked for', async () => {
  const { about, lines } = await readArchive(await archive({ cwd: '/srv/ws/a' }));
  expect([about.header.cwd, lines]).toEqual(['/srv/ws/a', ['{}']]);
  for (const cwd of ['/srv/ws/../../etc', 'ws', '/srv//ws', '/srv/ws/.'])
    await expect(readArchive(await archive({ cwd }))).rejects.toMatchObject({
      code: 'IMPORT_REFUSED',
      details: { entry: 'session.json', rule: 'IMPORT_INVALID_SESSION' },
      message: expect.stringContaining('header.cwd'),
    });
});
