import { expect } from 'vitest';
import { text, type CallId } from '@everturn/core/domain';
import { defineTool, implementTool, type ToolRunContext } from '@everturn/tools/kit';
import type { RunToolInput, ToolEffect } from '../../contract/index.ts';
import type { RegisteredTool } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { insideStep } from './test-turn.ts';

const SHOUT = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } as const;

/** A tool that counts its runs and does what the test wants. */
export function counting(effect: ToolEffect, body: (context: ToolRunContext) => Promise<string> = async () => 'ran') {
  const runs: string[] = [];
  const definition = defineTool({ name: 'shout', description: 'counts', parameters: SHOUT, home: 'model', effect });
  const tool = implementTool(definition, async ({ word }, context) => {
    runs.push(context.idempotencyKey);
    return { content: [text(`${word}: ${await body(context)}`)] };
  });
  return { runs, tool: tool as RegisteredTool };
}

/** A call of that tool in the first step of a new session. */
export async function callIn(deps: ActivityDeps, effect: ToolEffect, args = '{"word":"hey"}'): Promise<RunToolInput> {
  const { ref } = await insideStep(deps);
  return {
    ...ref,
    turn: 1,
    step: 1,
    call: { index: 0, callId: 'c1' as CallId, name: 'shout', arguments: args, concurrency: 'exclusive' },
    effect,
    spill: 'now',
    commit: { events: [], highestAcknowledged: -1 },
  };
}

/** What the call answers when its body ran, and how it looks when it failed. */
export const ran = { content: [text('hey: ran')], isError: false };
export const failedWith = (code: string) => ({ isError: true, error: expect.objectContaining({ code }) });
