import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

/** What is wrong with an archive. */
export class ZipError extends Error {}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT = 0xffff;

interface Entry {
  name: string;
  method: number;
  crc: number;
  packed: number;
  size: number;
  at: number;
}

/** Unpacks the entries of an archive that are wanted, by name; throws `ZipError`. Nothing is unpacked beyond `maxBytes` in all. */
export async function readZip(
  archive: Buffer,
  { names, maxBytes }: { names: readonly string[]; maxBytes: number },
): Promise<Map<string, Buffer>> {
  const wanted = new Set(names);
  const found = new Map<string, Buffer>();
  let left = maxBytes;
  for (const entry of entriesOf(archive)) {
    if (!wanted.has(entry.name)) continue;
    if (found.has(entry.name)) throw new ZipError(`${entry.name} is in the archive twice`);
    if (entry.size > left) throw new ZipError(`${entry.name} is larger than the ${maxBytes} bytes an archive may hold`);
    const content = await unpack(archive, entry);
    left -= content.length;
    found.set(entry.name, content);
  }
  return found;
}

function* entriesOf(archive: Buffer): Generator<Entry> {
  const end = findEnd(archive);
  let at = archive.readUInt32LE(end + 16);
  for (let n = archive.readUInt16LE(end + 10); n > 0; n -= 1) {
    if (at + 46 > end || archive.readUInt32LE(at) !== ENTRY) throw new ZipError('the list of entries is damaged');
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    yield {
      name: archive.toString('utf8', at + 46, at + 46 + name),
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      at: archive.readUInt32LE(at + 42),
    };
    at += 46 + name + extra + comment;
  }
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - MAX_COMMENT);
  for (let at = archive.length - END_BYTES; at >= first; at -= 1) if (archive.readUInt32LE(at) === END) return at;
  throw new ZipError('it is no ZIP archive');
}

async function unpack(archive: Buffer, { name, method, crc, packed, size, at }: Entry): Promise<Buffer> {
  if (at + 30 > archive.length || archive.readUInt32LE(at) !== LOCAL) throw new ZipError(`${name} is damaged`);
  const from = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  const raw = archive.subarray(from, from + packed);
  if (raw.length !== packed) throw new ZipError(`${name} is cut off`);
  if (method !== 0 && method !== 8) throw new ZipError(`${name} is packed in a way that is not read here`);
  const content = method === 0 ? raw : await inflated(name, raw, size);
  if (content.length !== size || crc32(content) !== crc) throw new ZipError(`${name} is damaged`);
  return content;
}

/** Never more than the archive says it is, whatever it turns out to be. */
async function inflated(name: string, raw: Buffer, size: number): Promise<Buffer> {
  try {
    return await inflate(raw, { maxOutputLength: Math.max(size, 1) });
  } catch (cause) {
    throw new ZipError(`${name} is damaged`, { cause });
  }
}
