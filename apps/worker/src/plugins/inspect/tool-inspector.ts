import type { JsonObject } from '@everturn/core/domain';
import type { RegisteredTool } from '../registry-layer.ts';
import type { Inspector } from './inspector.ts';
import { listMethod } from './list-method.ts';

const short = ({ definition: { name, toolset, description } }: RegisteredTool): JsonObject => ({
  name,
  ...(toolset !== undefined && { toolset }),
  description,
});

/** Tells of the tools the session has. */
export const toolInspector: Inspector = {
  id: 'Tool',
  description: 'The tools of this session, with their schemas.',
  methods: [
    listMethod<RegisteredTool>({
      name: 'listTools',
      noun: 'the tools this session has',
      member: 'tools',
      entries: ({ view }) => [...view.tools.values()],
      nameOf: ({ definition }) => definition.name,
      short,
      full: (tool) => {
        const { home, effect, timeoutMs, parameters, output } = tool.definition;
        return {
          ...short(tool),
          home,
          effect,
          ...(timeoutMs !== undefined && { timeoutMs }),
          parameters,
          ...(output && { output }),
        };
      },
      properties: {
        name: { type: 'string' },
        toolset: { type: 'string', description: 'The optional set it belongs to.' },
        description: { type: 'string' },
        home: { type: 'string', enum: ['host', 'model', 'workflow'], description: 'Where its body runs.' },
        effect: {
          type: 'string',
          enum: ['idempotent', 'keyed', 'at-most-once'],
          description: 'Whether a call whose worker was lost is run again.',
        },
        timeoutMs: { type: 'number' },
        parameters: { type: 'object', description: 'JSON schema of its arguments.' },
        output: { type: 'object', description: 'JSON schema of its value.' },
      },
      required: ['name', 'description'],
    }),
  ],
};
