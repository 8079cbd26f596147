import type { RegisteredTool, RegistryLayer } from './registry-layer.ts';

export interface CoreRegistrations {
  /** The built-in tools. */
  tools: readonly RegisteredTool[];
  /** The deployment's persona; empty = none. */
  persona?: string;
}

const IDENTITY =
  'You are an agent run by Everturn: you work on the task you are given, with the tools you have, until it is done.';

/** Registers what every session has: identity, persona and the built-in tools. */
export function registerCore(layer: RegistryLayer, { tools, persona = '' }: CoreRegistrations): void {
  layer.addSection({ name: 'harness:identity', order: -100, text: IDENTITY });
  layer.addSection({ name: 'deployment:persona', order: 0, text: persona });
  for (const tool of tools) layer.addTool(tool);
}
