import type { PluginApi } from '../plugin-api.ts';
import type { Inspector } from './inspector.ts';
import { listMethod } from './list-method.ts';

/** Signature and meaning of every method a plugin is given; the type keeps it complete. */
const BUILTINS: { readonly [M in keyof PluginApi]: readonly [signature: string, description: string] } = {
  tool: ['tool({ definition, execute }): Unregister', 'Offers a tool, in its set if the definition names one.'],
  promptSection: [
    'promptSection({ name, order, text }): Unregister',
    'Adds a part of the system prompt; lower orders come first.',
  ],
  command: ['command({ name, description, input?, handler }): Unregister', 'Adds a command for people.'],
  skill: ['skill(skill: PluginSkill): Unregister', "Offers a skill, after those of a session's project."],
  modelProvider: ['modelProvider(provider: ModelProvider): Unregister', 'Offers a way to models.'],
  inspector: ['inspector({ id, description, methods }): Unregister', 'Adds a provider of the tools cordis_inspect_*.'],
  on: [
    "on(point, listener, place?: 'first' | 'last'): Unregister",
    'Listens at a point of Event.listEvents; listeners are called as (event, next).',
  ],
  guard: ['guard(listener): Unregister', 'May refuse a call that policy let through: the reason it returns is shown.'],
  eachSession: ['eachSession((session, scope) => void): Unregister', 'Registers in the scope of each session.'],
  session: ['session(id): PluginScope', 'Registers for one session of this process.'],
  agent: [
    'agent({ tenant, session }): AgentHandle',
    'A session: id, options, status, send, steer, inject, cancel, whenIdle.',
  ],
  subagentProvider: [
    'subagentProvider({ name, context, capabilities }): Unregister',
    'Adds who makes agents, for tools that delegate and name it.',
  ],
  onLive: ['onLive(listener): Unregister', 'Observes what happens in this process now.'],
};

/** Tells what the code of a plugin can call. */
export const builtinInspector: Inspector = {
  id: 'Builtin',
  description: 'The methods of the object a plugin is called with.',
  methods: [
    listMethod<readonly [string, readonly [string, string]]>({
      name: 'listBuiltins',
      noun: 'what the code of a plugin can call',
      member: 'builtins',
      entries: () => Object.entries(BUILTINS),
      nameOf: ([name]) => name,
      short: ([name, [signature]]) => ({ name, signature }),
      full: ([name, [signature, description]]) => ({ name, signature, description }),
      properties: {
        name: { type: 'string' },
        signature: { type: 'string' },
        description: { type: 'string' },
      },
      required: ['name', 'signature'],
    }),
  ],
};
