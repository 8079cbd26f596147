import type { JsonObject } from '@everturn/core/domain';
import type { SessionRow } from '@everturn/core/postgres';
import { sessionWorkflowId } from '@everturn/core/protocol';
import { z } from 'zod';

export const SessionStatus = z.enum(['starting', 'idle', 'running', 'waiting', 'broken', 'closed']);

/** A session as clients see it. Times in RFC 3339. */
export const SessionState = z
  .strictObject({
    id: z.string(),
    status: SessionStatus,
    createdAt: z.string(),
    updatedAt: z.string(),
    title: z.string(),
    preview: z.string().describe('the first words of the first prompt'),
    workspace: z.string().optional(),
    parent: z.string().optional(),
    provider: z.string().optional(),
    model: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()),
    options: z.record(z.string(), z.unknown()).describe('what the session was created with'),
    queueLength: z.int(),
    openTurn: z.int().optional(),
    usage: z.record(z.string(), z.unknown()),
    host: z.string().optional().describe('the machine its tools run on, once one is bound'),
    links: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Session' });
export type SessionState = z.output<typeof SessionState>;

interface StateInput {
  row: SessionRow;
  temporal: { uiUrl?: string; namespace: string };
}

/** Renders a session's row. */
export function sessionState({ row, temporal }: StateInput): SessionState {
  const { metadata: _, ...options } = row.options;
  return {
    id: row.id,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    title: row.title,
    preview: row.preview,
    ...text('workspace', row.header.cwd),
    ...text('parent', row.parent),
    ...text('provider', options['provider']),
    ...text('model', row.model ?? options['model']),
    metadata: (row.options['metadata'] as JsonObject | undefined) ?? row.metadata,
    options,
    queueLength: row.queueLength,
    ...(row.openTurn !== undefined && { openTurn: row.openTurn }),
    usage: row.usage,
    ...text('host', row.host?.id),
    links: links(row, temporal),
  };
}

function text<Name extends string>(name: Name, value: unknown): { [K in Name]?: string } {
  return typeof value === 'string' ? ({ [name]: value } as { [K in Name]: string }) : {};
}

function links({ id }: SessionRow, { uiUrl, namespace }: StateInput['temporal']): Record<string, string> {
  const self = `/v1/sessions/${id}`;
  const names = ['events', 'messages', 'transcript', 'interactions', 'effects', 'jobs'];
  return {
    self,
    ...Object.fromEntries(names.map((name) => [name, `${self}/${name}`])),
    ...(uiUrl && {
      temporal: `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(sessionWorkflowId(id))}`,
    }),
  };
}
