import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { neededProgram } from '@everturn/core/testing';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { expectSound } from './support/expect-sound.ts';
import { scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

const chromium = neededProgram('chromium');
const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<title>Shop</title><button onclick="document.title = \'Bought\'">Buy</button><p>Price: 42 EUR</p>');
});
let stack: Stack;

/** A model that reads the page it is shown: the browser's questions come with one tool, `answer`. */
function answerAbout({ lastUser, body }: RequestView): ScriptAnswer {
  const wanted = Object.keys((body.tools?.[0]?.function.parameters?.['properties'] ?? {}) as object);
  const elementId = /\[(\d+-\d+)\] button: Buy/.exec(lastUser)?.[1] ?? '0-0';
  const action = { elementId, description: 'Buy', method: 'click', arguments: [] };
  const value = wanted.includes('action')
    ? { action, twoStep: false }
    : wanted.includes('completed')
      ? { progress: 'all', completed: true }
      : { price: Number(/Price: (\d+)/.exec(lastUser)?.[1]) };
  return { toolCalls: [{ name: 'answer', arguments: value as never }] };
}

describe.skipIf(chromium.absent)(`a session with a browser${chromium.note}`, () => {
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stack = await startStack();
  });
  afterAll(async () => {
    await stack.stop();
    server.close();
  });

  test("acts on a page and reads it, the page being read by the session's own model", async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const schema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };
    const calls = [
      { name: 'stagehand_navigate', arguments: { url } },
      { name: 'stagehand_act', arguments: { instruction: 'click Buy' } },
      { name: 'stagehand_tabs', arguments: { action: 'list' } },
      { name: 'stagehand_extract', arguments: { instruction: 'the price', schema } },
    ];
    const read: string[] = [];
    const options = scripted(stack, 'browse', (request) => {
      if (request.tools.length === 1 && request.tools[0] === 'answer') return answerAbout(request);
      read.push(...request.results.map(({ content }) => content));
      const call = calls[request.steps.length];
      return call ? { toolCalls: [call] } : { text: 'done' };
    });
    const session = await stack.api.create({ ...options, toolsets: ['browser'] });
    await stack.api.prompt(session, 'buy it and tell the price');
    await stack.api.turnEnded(session);
    expect(JSON.parse(read[0] ?? '')).toMatchObject({ url, title: 'Shop' });
    expect(JSON.parse(read[2] ?? '')).toMatchObject({ tabs: [{ title: 'Bought', active: true }] });
    expect(JSON.parse(read[3] ?? '')).toEqual({ price: 42 });
    await expectSound(stack, session);
    // The stack's worker may be killed later, and only a browser that was ended takes its profile along.
    await stack.api.call('DELETE', `/v1/sessions/${session}`);
    await stack.client.workflow.getHandle(`session:${session}`).result();
  });
});
