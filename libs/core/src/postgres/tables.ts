import type { ApiKeyTable } from './api-keys.ts';
import type { AttachmentTable } from './attachments.ts';
import type { BlobTable } from './blobs.ts';
import type { BundleStateTable, BundleTable, TenantBundleTable, TenantPluginTable } from './bundles.ts';
import type { ClaimTable } from './claims.ts';
import type { HostTable } from './hosts.ts';
import type { IdempotencyTable } from './idempotency.ts';
import type { InspectAnswerTable, InspectClientTable, InspectQueryTable } from './inspect-clients.ts';
import type { InteractionTable } from './interactions.ts';
import type { JobPageTable } from './job-pages.ts';
import type { JobTable } from './jobs.ts';
import type { LogGapTable } from './log-gaps.ts';
import type { LogHeadTable } from './log-heads.ts';
import type { PromptTable } from './prompts.ts';
import type { RequestTable } from './requests.ts';
import type { SentRequestTable } from './sent-requests.ts';
import type { SessionEventTable } from './session-events.ts';
import type { SessionTable } from './sessions.ts';
import type { TurnSealTable } from './turn-seals.ts';

/** Every table by its name. */
export interface Tables {
  api_keys: ApiKeyTable;
  attachments: AttachmentTable;
  blobs: BlobTable;
  bundle_state: BundleStateTable;
  bundles: BundleTable;
  claims: ClaimTable;
  hosts: HostTable;
  idempotency: IdempotencyTable;
  inspect_answers: InspectAnswerTable;
  inspect_clients: InspectClientTable;
  inspect_queries: InspectQueryTable;
  interactions: InteractionTable;
  job_pages: JobPageTable;
  jobs: JobTable;
  log_gaps: LogGapTable;
  log_heads: LogHeadTable;
  prompts: PromptTable;
  requests: RequestTable;
  sent_requests: SentRequestTable;
  session_events: SessionEventTable;
  sessions: SessionTable;
  tenant_bundles: TenantBundleTable;
  tenant_plugins: TenantPluginTable;
  turn_seals: TurnSealTable;
}
