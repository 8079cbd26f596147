import { defineTool, TEAM_TOOLSET } from '../kit/index.ts';

/** Writes to another member of the team. */
export const teamSendMessage = defineTool({
  name: 'send_message',
  toolset: TEAM_TOOLSET,
  description: [
    'Writes to somebody of your team. Who is at work reads the message before their next step; who is not begins a turn for it.',
    'Answers `{messageId, status}`: `accepted` = it is with them; `queued` = it is kept and will reach them, so do not send it again.',
    'If the call fails, nothing was sent.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      target: { type: 'string', description: 'The name of a member, as list_agents shows it, or `lead`.' },
      message: {
        type: 'string',
        description: 'What to tell them, at most 64 KiB; they see nothing else of your conversation.',
      },
    },
    required: ['target', 'message'],
  },
  home: 'workflow',
  effect: 'at-most-once',
});
