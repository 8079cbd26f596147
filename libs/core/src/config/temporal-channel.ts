/** For clients of Temporal: they are back within a second of an outage's end; gRPC's own pause grows to two minutes. */
export const quickReconnect = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
} as const;
