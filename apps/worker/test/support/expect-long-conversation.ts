import type { SessionEvent } from '@everturn/core/domain';
import { expect } from 'vitest';
import { expectSound } from './expect-sound.ts';
import { bash, scripted } from './model-scripts.ts';
import type { Stack } from './stack.ts';

export interface LongConversation {
  steps: number;
  /** Characters of each step's result. */
  size: number;
  /** What the model holds, in tokens. */
  window: number;
}

/**
 * A turn of so many steps, each with a long result: the model's context stays within its window, every request begins
 * with all of the one before, byte by byte, unless the history was shortened in between, and the log holds everything.
 */
export async function expectLongConversation(
  stack: Stack,
  { steps, size, window }: LongConversation,
): Promise<SessionEvent[]> {
  let before: string[] = [];
  const goesOn: boolean[] = [];
  const options = scripted(stack, `long-${steps}@${window}`, ({ purpose, messages, body }) => {
    if (purpose === 'compaction') return { text: '## Current Work\n- steps run one after another' };
    const sent = [JSON.stringify(body.tools), ...messages.map((message) => JSON.stringify(message))];
    goesOn.push(before.every((message, at) => sent[at] === message));
    before = sent;
    const step = goesOn.length;
    return step > steps
      ? { text: 'done' }
      : { toolCalls: [bash(`head -c ${size} /dev/zero | tr '\\0' x; echo ${step}`)] };
  });
  const session = await stack.api.create({ ...options, tools: { allow: ['bash'] } });
  await stack.api.prompt(session, 'go');
  await stack.api.until(session, 'the turn to end', (events) => events.at(-1)?.type === 'turn/end', 20 * steps * 1_000);
  const events = await stack.api.events(session);

  expect(events.filter(({ type }) => type === 'compact/summary').length).toBeGreaterThanOrEqual(2);
  for (const event of events)
    if (event.type === 'assistant/message') expect(event.data.usage?.inputTokens).toBeLessThan(window);

  const starts = events.flatMap(({ type, seq }) => (type === 'step/start' ? [seq] : []));
  const shortened = starts.flatMap((start, n) => {
    const last = starts[n - 1] ?? start;
    return events.slice(last, start).some(({ type }) => type.startsWith('compact/')) ? [n] : [];
  });
  expect(goesOn.flatMap((so, n) => (so ? [] : [n]))).toEqual(shortened);
  expect(shortened.length).toBeLessThan(steps / 2);

  expect(await resultsInTranscript(stack, session, size)).toBe(steps);
  await expectSound(stack, session);
  return events;
}

/** How many results people see in full. */
async function resultsInTranscript(stack: Stack, session: string, size: number): Promise<number> {
  let seen = 0;
  for (let after: number | null = -1; after !== null;) {
    const path: string = `/v1/sessions/${session}/transcript?after=${after}&limit=200`;
    const { body } = await stack.api.call<{ entries: { event: SessionEvent }[]; next: number | null }>('GET', path);
    for (const { event } of body.entries)
      if (event.type === 'tool/result' && JSON.stringify(event.data.content).includes('x'.repeat(size))) seen += 1;
    after = body.next;
  }
  return seen;
}
