import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** All metrics of this process. */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });

/** Time to answer, by route; streams count until their first byte. */
export const requestSeconds = new Histogram({
  name: 'everturn_api_request_seconds',
  help: 'Time to answer a request',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 60],
  registers: [registry],
});

/** Event streams that are open now. */
export const openStreams = new Gauge({
  name: 'everturn_api_event_streams',
  help: 'Event streams that are open',
  labelNames: ['feed'] as const,
  registers: [registry],
});

/** Event streams the server ended, by reason. */
export const endedStreams = new Counter({
  name: 'everturn_api_event_streams_ended_total',
  help: 'Event streams ended by the server',
  labelNames: ['reason'] as const,
  registers: [registry],
});
