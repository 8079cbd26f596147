import type { Benchmark } from '../benchmark.ts';
import { stampsIn } from '../model/plan.ts';
import { poll } from '../../process/poll.ts';
import { followText } from '../stack/follow-text.ts';
import { delayFigures } from './first-byte.ts';

const sessions = 50;
const everyMs = 50;

/** How long a chunk takes from the provider to a client. */
export const streaming: Benchmark = {
  name: 'streaming',
  title: `From the provider's chunk to the client's byte, ${sessions} sessions at ${1000 / everyMs} chunks a second each`,
  async run(bench) {
    const { api, model, createSessions } = await bench.application();
    const chunks = (bench.size === 'quick' ? 5_000 : 30_000) / everyMs;
    // Answers are held until every session has asked, so that all of them stream at the same time.
    const ids = await createSessions(sessions, { toolSteps: 0, chunks, everyMs, holdAt: [1] });
    const delays: number[] = [];
    const ended = new AbortController();
    const onText = ({ text, at }: { text: string; at: number }) => {
      for (const sentAt of stampsIn(text)) delays.push(at - sentAt);
    };
    await Promise.all(ids.map((id) => followText(api, id, ended.signal, onText)));
    const turns = ids.map((id) => api.runTurn(id));
    bench.tell('waiting until every session has asked the model');
    for (const id of ids) await untilAsked(() => model.seen(id));
    bench.tell('streaming');
    await Promise.all(ids.map((id) => model.release(id)));
    await Promise.all(turns);
    await poll(() => (delays.length >= sessions * chunks ? true : undefined), 5_000);
    ended.abort();
    const lost = {
      name: 'chunks that did not arrive',
      unit: 'count',
      value: sessions * chunks - delays.length,
    } as const;
    return [
      ...delayFigures('chunk from provider to client', delays, { p50: 15, p99: 60 }),
      { ...lost, target: { of: 'value', atMost: 0 } },
    ];
  },
};

async function untilAsked(seen: () => Promise<readonly unknown[]>): Promise<void> {
  const asked = await poll(async () => ((await seen()).length > 0 ? true : undefined), 60_000, 20);
  if (!asked) throw new Error('a session did not ask the model within a minute');
}
