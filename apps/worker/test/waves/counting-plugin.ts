import { appendFileSync } from 'node:fs';
import { setTimeout as work } from 'node:timers/promises';
import { text } from '@everturn/core/domain';
import { defineTool, implementTool, type ToolEffect } from '@everturn/tools/kit';
import type { Plugin } from '../../src/plugins/index.ts';

/** What a call holds that policy asks a person about. */
export const NEEDS_APPROVAL = 'needs approval';

/** Sessions of this name have a policy; in the others nothing listens and calls start together. */
export const WITH_POLICY = /-asks$/;

/** A tool that leaves a line outside each time its body begins, works a while and notices a cancel. */
function counting(name: string, effect: ToolEffect, home: 'host' | 'model') {
  const definition = defineTool({
    name,
    description: 'Counts its runs in a file.',
    parameters: {
      type: 'object',
      properties: {
        file: { type: 'string', description: 'Where a line is added.' },
        workMs: { type: 'number', description: 'How long it works.' },
        note: { type: 'string', description: 'For policy.' },
      },
      required: ['file', 'workMs'],
    },
    home,
    effect,
    concurrency: () => 'parallel',
  });
  return implementTool(definition, async ({ file, workMs }, { signal, idempotencyKey }) => {
    appendFileSync(file, `${idempotencyKey}\n`);
    await work(workMs, undefined, { signal });
    return { content: [text('counted')] };
  });
}

const plugin: Plugin = (api) => {
  api.tool(counting('count_once', 'at-most-once', 'host'));
  api.tool(counting('count_again', 'idempotent', 'model'));
  api.tool(counting('count_keyed', 'keyed', 'host'));
  api.eachSession((session, scope) => {
    if (!WITH_POLICY.test(session)) return;
    scope.on('tools/pre-execute', ({ call }, next) =>
      JSON.stringify(call.arguments).includes(NEEDS_APPROVAL) ? { action: 'ask', reason: 'it says so' } : next(),
    );
  });
};
// The loader takes a plugin's default export.
// oxlint-disable-next-line import/no-default-export
export default plugin;
