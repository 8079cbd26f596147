import { eventRule, eventTypes, type JsonObject } from '@everturn/core/domain';
import { z } from 'zod';
import { isInterceptionPoint, POINT_MODES, type ListenPoint, type PointMode } from '../points.ts';
import type { RegistryView } from '../registry-view.ts';
import type { Inspector } from './inspector.ts';
import { listMethod } from './list-method.ts';

type Listed = { name: string; short: JsonObject; full: JsonObject };

/** Tells at which points plugins can listen, and which events logs have. */
export const eventInspector: Inspector = {
  id: 'Event',
  description: 'The points plugins can listen at, and the types of events a session log has.',
  methods: [
    listMethod<Listed>({
      name: 'listEvents',
      noun: 'points to listen at and types of log events',
      member: 'events',
      entries: ({ view }) => [...points(view), ...logged()],
      nameOf: ({ name }) => name,
      short: (event) => event.short,
      full: (event) => ({ ...event.short, ...event.full }),
      properties: {
        name: { type: 'string' },
        kind: { type: 'string', enum: ['point', 'log'] },
        mode: {
          type: 'string',
          enum: [...new Set(Object.values(POINT_MODES))],
          description: 'How listeners are asked.',
        },
        meaning: { type: 'string', description: 'What the mode makes of what listeners return.' },
        askedIn: { type: 'string', enum: ['workflow', 'activity'], description: 'Whose code asks at the point.' },
        listeners: { type: 'integer', description: 'How many listen for this session.' },
        enclosure: { type: 'string', enum: ['turn', 'step'], description: 'What has to be open for the event.' },
        surface: { type: 'boolean', description: 'Whether a conversation shows it.' },
        outOfBand: { type: 'boolean', description: 'Whether it may be written between turns.' },
        data: { type: 'object', description: 'JSON schema of its payload.' },
      },
      required: ['name', 'kind'],
    }),
  ],
};

const MEANINGS: Readonly<Record<PointMode, string>> = {
  waterfall: 'Each listener wraps the next; what the outermost returns counts.',
  serial: 'Listeners are asked one after another; the first that returns something ends it.',
  sequence: 'Listeners run one after another, whatever they return; the first failure ends it.',
  emit: 'All listeners are told; a failing one changes nothing.',
  flush: 'All listeners are awaited; the first failure counts after all ran.',
};

const points = (view: RegistryView): Listed[] =>
  (Object.entries(POINT_MODES) as [ListenPoint, PointMode][]).map(([name, mode]) => ({
    name,
    short: { name, kind: 'point', mode },
    full: {
      meaning: MEANINGS[mode],
      askedIn: isInterceptionPoint(name) ? 'workflow' : 'activity',
      listeners: view.listeners(name).length,
    },
  }));

const logged = (): Listed[] =>
  eventTypes().map((name) => {
    const { schema, enclosure, surface, outOfBand } = eventRule(name);
    return {
      name,
      short: { name, kind: 'log' },
      // Made when asked for: all schemas together are long.
      get full(): JsonObject {
        // A schema is JSON, which the type of zod's does not say.
        const data = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as unknown as JsonObject;
        return { enclosure, surface, outOfBand, data };
      },
    };
  });
