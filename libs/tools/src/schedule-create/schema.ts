import { defineTool, fieldsOf, type CallPresenter } from '../kit/index.ts';

const presentReminder: CallPresenter = (args) => {
  const { prompt } = fieldsOf(args);
  return typeof prompt === 'string' ? { card: 'generic', title: `Set a reminder: ${prompt}` } : undefined;
};

/** Sets a reminder of the session. */
export const scheduleCreate = defineTool({
  name: 'schedule_create',
  description: [
    'Sets a reminder for this session: when it is due, its prompt comes back to you as a message of its own, as soon as nothing else runs, also when nobody is connected and after restarts.',
    'Give exactly one of `after_seconds` (once, so long from now), `at` (once, at that time) and `every_seconds` (again and again). Of times that were missed, because a turn ran or the service was down, only the latest is delivered. While the session is closed nothing is; what was due then comes when it is resumed.',
    'Answers the reminder as JSON, or {code, message} when it cannot be set. At most 100 are active at once.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      prompt: {
        type: 'string',
        description: 'What you want to be told then; write it so that it is clear without what was said before.',
      },
      after_seconds: { type: 'number', description: 'Once, this many seconds from now; a whole number above 0.' },
      every_seconds: {
        type: 'number',
        description:
          'Again and again, this many seconds apart, the first time so long from now; a whole number, 300 or more.',
      },
      at: {
        description:
          'Once, at this time, which must lie ahead: an instant with its offset such as `2026-05-01T09:00:00+02:00`, or a date and time in a time zone. A time that clocks show twice is the earlier one; one that they skip is refused.',
        oneOf: [
          { type: 'string', description: 'An instant with `Z` or an offset, seconds included.' },
          {
            type: 'object',
            additionalProperties: false,
            properties: {
              date: { type: 'string', description: 'Such as `2026-05-01`.' },
              time: { type: 'string', description: 'Of 24 hours, such as `09:00` or `09:00:30`.' },
              time_zone: {
                type: 'string',
                description: '`UTC` or an IANA name such as `Europe/Berlin`; no abbreviation, no offset.',
              },
            },
            required: ['date', 'time', 'time_zone'],
          },
        ],
      },
    },
    required: ['prompt'],
  },
  home: 'workflow',
  effect: 'idempotent',
  audience: 'own-sessions',
  presentCall: presentReminder,
});
