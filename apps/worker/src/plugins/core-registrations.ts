import { editVersionAfter, writeIntentAfter } from '@everturn/tools/kit';
import { hostInspectors } from './inspect/index.ts';
import type { RegisteredTool, RegistryLayer } from './registry-layer.ts';

export interface CoreRegistrations {
  /** The built-in tools. */
  tools: readonly RegisteredTool[];
  /** The deployment's persona; empty = none. */
  persona?: string;
  /** Files must be read before they are replaced or edited; default true. */
  readBeforeWrite?: boolean;
}

const IDENTITY =
  'You are an agent run by Everturn: you work on the task you are given, with the tools you have, until it is done.';

/**
 * Registers what every session has: identity, persona, the built-in tools, who tells about them, and who
 * decides about changes of files.
 */
export function registerCore(
  layer: RegistryLayer,
  { tools, persona = '', readBeforeWrite = true }: CoreRegistrations,
): void {
  layer.addSection({ name: 'harness:identity', order: -100, text: IDENTITY });
  layer.addSection({ name: 'deployment:persona', order: 0, text: persona });
  for (const tool of tools) layer.addTool(tool);
  for (const inspector of hostInspectors) layer.addInspector(inspector);
  if (!readBeforeWrite) return;
  // They ask nobody else: a plugin that wants to decide has to come first.
  layer.addListener('fs/write-intent', ({ last }) => writeIntentAfter(last), 'last');
  layer.addListener('fs/edit-intent', ({ last, file }) => editVersionAfter(last, file), 'last');
}
