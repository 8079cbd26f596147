import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workspaceRoot } from '@everturn/core/testing';
import { openProjection } from '../../src/projection/index.ts';
import { expectRebuilt } from '../support/expect-rebuilt.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { runWave } from './run-wave.ts';

const chosen = process.env['EVERTURN_WAVE_SEED'];

/** A wave on a stack of its own: of `EVERTURN_WAVE_SEED` to see one again, else of the given seed, else of a new one. */
export function testWave(wave: number, given?: number): void {
  const seed = chosen === undefined ? (given ?? randomInt(2 ** 31)) : Number(chosen) + wave - 1;
  test(`wave ${wave} of seed ${seed}`, { timeout: 420_000 }, async () => {
    const stack = await startWaveStack();
    try {
      const { sessions, ...report } = await runWave(stack, seed);
      console.info(`wave of seed ${seed} (again with EVERTURN_WAVE_SEED=${seed}): ${JSON.stringify(report)}`);
      expect(report.struck).toEqual(expect.arrayContaining(['worker', 'postgres']));
      await Promise.all([stack.worker().stop(), stack.apiProcess().stop()]);
      const projection = openProjection({ database: stack.database, owner: 'rebuild' });
      for (const session of sessions) await expectRebuilt(stack, projection, session);
    } catch (error) {
      console.info(`the worker's last words:\n${stack.worker().logs().slice(-6_000)}`);
      throw error;
    } finally {
      await stack.stop();
    }
  });
}

function startWaveStack(): Promise<Stack> {
  return startStack({
    own: ['postgres', 'temporal'],
    worker: {
      EVERTURN_PLUGINS: join(workspaceRoot, 'apps/worker/test/waves/counting-plugin.ts'),
      EVERTURN_STREAM_IDLE_TIMEOUT_MS: '2000',
    },
  });
}
