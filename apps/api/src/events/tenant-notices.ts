import type { TenantMarks } from '@everturn/core/postgres';
import { frame } from '../platform/sse/frame.ts';

/** Something a follower of a tenant is told that is no event: it has no id and is not sent again. */
export type TenantNotice =
  | { kind: 'settings/updated'; data: { namespace: string; revision: number } }
  | { kind: 'credentials/reference-updated'; data: { ref: string; stored: boolean } };

/** What changed between two looks, by name. */
export function noticesOf(before: TenantMarks, after: TenantMarks): TenantNotice[] {
  const settings = Object.keys(after.settings)
    .filter((namespace) => after.settings[namespace] !== before.settings[namespace])
    .toSorted()
    .map((namespace): TenantNotice => {
      const revision = after.settings[namespace] ?? 0;
      return { kind: 'settings/updated', data: { namespace, revision } };
    });
  const refs = new Set([...Object.keys(before.credentials), ...Object.keys(after.credentials)]);
  const keys = [...refs]
    .filter((ref) => after.credentials[ref] !== before.credentials[ref])
    .toSorted()
    .map((ref): TenantNotice => {
      return { kind: 'credentials/reference-updated', data: { ref, stored: Object.hasOwn(after.credentials, ref) } };
    });
  return [...settings, ...keys];
}

/** Notices as frames without an id. */
export const renderNotices = (notices: readonly TenantNotice[]): string =>
  notices.map(({ kind, data }) => frame({ event: kind, json: JSON.stringify(data) })).join('');
