import type { Spilled } from './spill-port.ts';
import type { ToolRunContext } from './tool-context.ts';

export interface SaveListInput {
  context: ToolRunContext;
  name: string;
  text: string;
}

/** Saves a complete list for the model to read; programs hold it as data, so their calls save nothing. */
export async function saveList({ context, name, text }: SaveListInput): Promise<Spilled | undefined> {
  if (context.parent !== undefined) return undefined;
  const { session } = context.initiator;
  return context.ports.spill.save({ session, name, text }).catch(() => undefined); // the page says that it was not saved
}
