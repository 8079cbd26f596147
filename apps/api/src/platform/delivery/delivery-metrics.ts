import { Counter } from 'prom-client';
import { registry } from '../metrics/registry.ts';

/** How messages reached sessions: answered by an update, or handed over as a signal. */
export const deliveries = new Counter({
  name: 'everturn_api_deliveries_total',
  help: 'Messages handed to sessions, by message and by the way they took',
  labelNames: ['message', 'via'] as const,
  registers: [registry],
});
