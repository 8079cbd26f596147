import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** An archive like an export's: files by name, bytes as they are, a value as JSON, a list as JSON lines. */
export async function archive(files: Record<string, object | readonly object[]>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, value] of Object.entries(files)) {
    if (Buffer.isBuffer(value)) {
      zip.addBuffer(value, name, { compress: false });
      continue;
    }
    const lines = Array.isArray(value) ? value : [value];
    zip.addBuffer(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')), name);
  }
  zip.end();
  return buffer(zip.outputStream);
}
