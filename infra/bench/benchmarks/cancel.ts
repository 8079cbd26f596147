import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from '../benchmark.ts';
import { poll } from '../../process/poll.ts';
import type { Application } from '../stack/application.ts';
import { delayFigures } from './first-byte.ts';

/** How long a running tool goes on after a client has cancelled its turn. */
export const cancel: Benchmark = {
  name: 'cancel',
  title: "From the cancelling request to the signal at the tool's process group",
  async run(bench) {
    const application = await bench.application();
    const rounds = bench.size === 'quick' ? 5 : 30;
    const delays: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      bench.tell(`cancel ${round} of ${rounds}`);
      delays.push(await cancelOnce(application, round));
    }
    return delayFigures("cancel to the tool's process group", delays, { p95: 1_000 });
  },
};

async function cancelOnce({ api, createSessions, workspace }: Application, round: number): Promise<number> {
  const [running, signalled] = [join(workspace, `running-${round}`), join(workspace, `signalled-${round}`)];
  // The shell notes the time itself, in its trap; EPOCHREALTIME costs no process.
  const command = [
    `trap 'printf %s "$EPOCHREALTIME" > ${signalled}.new; mv ${signalled}.new ${signalled}; exit 0' TERM`,
    `touch ${running}`,
    'while :; do sleep 60 & wait $!; done',
  ].join('; ');
  const tool = { name: 'bash', arguments: { command, description: 'Wait for a signal' } };
  const [id = ''] = await createSessions(1, { toolSteps: 1, tool, chunks: 1, everyMs: 0 });
  await api.prompt(id);
  await untilExists(running);
  const asked = Date.now();
  await api.cancel(id);
  await untilExists(signalled);
  return Number(readFileSync(signalled, 'utf8').replace(',', '.')) * 1000 - asked;
}

async function untilExists(file: string): Promise<void> {
  const there = await poll(() => (existsSync(file) ? true : undefined), 60_000, 5);
  if (!there) throw new Error(`${file} was not written within a minute`);
}
