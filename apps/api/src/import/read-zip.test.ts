import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { readZip } from './read-zip.ts';

const LINES = '{"a":1}\n'.repeat(5_000);

/** An archive as an export makes it. */
async function archive(comment = ''): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('{"kind":"héllo"}'), 'session.json');
  zip.addReadStream(Readable.from([LINES], { objectMode: false }), 'events.jsonl');
  zip.addBuffer(Buffer.from('plain'), 'plain.txt', { compress: false });
  zip.end({ forceZip64Format: false, comment });
  return buffer(zip.outputStream);
}
const wanted = (names: string[], maxBytes = 1_000_000) => ({ names, maxBytes });

test('what an export packs is read, and nothing that is not asked for', async () => {
  const entries = await readZip(
    await archive('made today'),
    wanted(['session.json', 'events.jsonl', 'plain.txt', 'other']),
  );
  expect([...entries].map(([name, content]) => [name, content.toString()])).toEqual([
    ['session.json', '{"kind":"héllo"}'],
    ['events.jsonl', LINES],
    ['plain.txt', 'plain'],
  ]);
});

test('what is no archive, damaged, cut off or too large is refused', async () => {
  const whole = await archive();
  await expect(readZip(Buffer.from('PK nothing of the kind, really'), wanted([]))).rejects.toThrow('no ZIP archive');
  await expect(readZip(whole.subarray(0, 200), wanted(['session.json']))).rejects.toThrow('no ZIP archive');
  await expect(readZip(whole, wanted(['events.jsonl'], 10))).rejects.toThrow('larger than the 10 bytes');
  const flipped = Buffer.from(whole);
  const at = whole.indexOf('plain', whole.indexOf('plain.txt') + 9);
  flipped[at] = 0x21;
  await expect(readZip(flipped, wanted(['plain.txt']))).rejects.toThrow('plain.txt is damaged');
});

test('an archive that says less than it holds does not get more memory than it says', async () => {
  const whole = await archive();
  const entry = whole.indexOf(Buffer.from('PK\u0001\u0002'), whole.indexOf('plain.txt'));
  const lying = Buffer.from(whole);
  const events = whole.indexOf('events.jsonl', entry) - 46;
  lying.writeUInt32LE(100, events + 24);
  await expect(readZip(lying, wanted(['events.jsonl']))).rejects.toThrow('events.jsonl is damaged');
});
