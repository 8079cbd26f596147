import {
  canonicalHeader,
  canonicalJson,
  deriveMessages,
  SurfaceFold,
  type EpochHeader,
  type GenerateOptions,
  type SessionEvent,
} from '@everturn/core/domain';
import { readEvents } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

const PAGE_ROWS = 1_000;

export interface CheckRequestInput {
  ref: SessionRef;
  /** The number of the step's `step/start`. */
  start: number;
  options: GenerateOptions;
}

/**
 * Makes a step's request once more, from nothing but the log as it is stored, and says what differs. The log must be
 * enough to tell what a model was sent; whoever sends something else has broken that.
 */
export async function checkRequest(
  { database }: Pick<ActivityDeps, 'database'>,
  { ref, start, options }: CheckRequestInput,
): Promise<string | undefined> {
  const { header, fold } = await recompute({ database }, { ref, start });
  if (!header) return violation('the log holds no request/header');
  const { config, system, tools, messagePrefix = [] } = canonicalHeader(header);
  const expected: Record<string, unknown> = {
    ...config,
    system,
    tools,
    messages: [...messagePrefix, ...deriveMessages(fold.nodes())],
  };
  const members = [
    'provider',
    'model',
    'temperature',
    'maxTokens',
    'stop',
    'reasoningEffort',
    'system',
    'tools',
    'messages',
  ];
  // Read by the names above, which are members of it.
  const sent = options as unknown as Record<string, unknown>;
  const differing = members.filter((member) => textOf(sent[member]) !== textOf(expected[member]));
  return differing.length === 0
    ? undefined
    : violation(`${differing.join(', ')} of the request before event ${start} cannot be made from the log`);
}

async function recompute(
  { database }: Pick<ActivityDeps, 'database'>,
  { ref, start }: Omit<CheckRequestInput, 'options'>,
) {
  const fold = new SurfaceFold();
  let header: EpochHeader | undefined;
  const { tenant, session } = ref;
  for (let next: number | undefined = 0; next !== undefined;) {
    const page: { events: SessionEvent[]; next?: number } = await readEvents(database, {
      tenant,
      session,
      from: next,
      chunks: false,
      limit: PAGE_ROWS,
    });
    for (const event of page.events) {
      if (event.type === 'request/header') header = event.data.header; // the step's own comes after its start
      if (event.seq < start) fold.apply(event);
    }
    next = page.next;
  }
  return { header, fold };
}

const textOf = (value: unknown): string => (value === undefined ? '' : canonicalJson(value));

const violation = (what: string): string => `invariant violated by "request": ${what}`;
