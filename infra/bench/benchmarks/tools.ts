import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Benchmark, Figure } from '../benchmark.ts';

const TIME_TOOLS = new URL('../../../libs/tools/bench/time-tools.ts', import.meta.url).pathname;
/** Work below this costs what it costs; above, it may cost little more than the bare thing. */
const WORTH_A_TARGET_MS = 50;
const PER_FOLDER = 500;

interface Timings {
  readonly comparisons: readonly { name: string; ours: number; bare: number }[];
  readonly calls: number;
  readonly grownBytes: number;
}

/** What tools add to the library or program they are made of. */
export const tools: Benchmark = {
  name: 'tools',
  title: 'read, grep and bash beside the bare library or program; memory over many calls',
  async run({ size, tell }) {
    const quick = size === 'quick';
    const folder = mkdtempSync(join(tmpdir(), 'everturn-bench-tools-'));
    try {
      tell('planting a tree');
      plant(folder, quick ? 5_000 : 50_000);
      tell('timing tools and what they are made of, in turns');
      const args = [
        '--expose-gc',
        // As workers run.
        '--max-semi-space-size=16',
        TIME_TOOLS,
        folder,
        quick ? '3' : '7',
        quick ? '50' : '1000',
        quick ? '1000' : '10000',
      ];
      const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1024 * 1024 });
      return figures(JSON.parse(stdout) as Timings);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function figures({ comparisons, calls, grownBytes }: Timings): Figure[] {
  const costs = comparisons.map(({ name, ours, bare }): Figure => ({
    name,
    unit: 'ms',
    value: ours,
    floor: bare,
    ...(bare > WORTH_A_TARGET_MS && { target: { of: 'ratio', atMost: 1.3 } }),
  }));
  const memory = `memory grown over ${calls.toLocaleString('en')} calls`;
  return [
    ...costs,
    { name: memory, unit: 'bytes', value: Math.max(0, grownBytes), target: { of: 'value', atMost: 20e6 } },
  ];
}

function plant(folder: string, files: number): void {
  const lines = Array.from({ length: 2_000 }, (_, n) => `line ${n} of a file as they are, neither short nor long\n`);
  writeFileSync(join(folder, 'lines.txt'), lines.join(''));
  for (let n = 0; n < files; n++) {
    const place = join(folder, 'tree', `folder-${Math.floor(n / PER_FOLDER)}`);
    if (n % PER_FOLDER === 0) mkdirSync(place, { recursive: true });
    writeFileSync(
      join(place, `file-${n}.ts`),
      `export const value${n} = ${n};\n${n % 1_000 === 0 ? `// needle-${n}\n` : ''}`.repeat(20),
    );
  }
}
