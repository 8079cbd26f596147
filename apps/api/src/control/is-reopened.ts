import type { SessionRow } from '@everturn/core/postgres';

type Life = Pick<SessionRow, 'generation' | 'status'>;

/** Whether a session's new life has said how it stands: its first act raises the generation, and the row is still the old one's. */
export const isReopened = (before: Pick<Life, 'generation'>, { generation, status }: Life): boolean =>
  generation > before.generation && status !== 'closed' && status !== 'broken';
