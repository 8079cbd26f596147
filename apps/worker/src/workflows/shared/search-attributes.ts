import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { SessionStatus } from '@everturn/core/protocol';
import type { SessionRef } from '../../contract/index.ts';

const SESSION = defineSearchAttributeKey('EverturnSession', SearchAttributeType.KEYWORD);
const TENANT = defineSearchAttributeKey('EverturnTenant', SearchAttributeType.KEYWORD);
const PARENT = defineSearchAttributeKey('EverturnParent', SearchAttributeType.KEYWORD);
const STATUS = defineSearchAttributeKey('EverturnStatus', SearchAttributeType.KEYWORD);
const MODEL = defineSearchAttributeKey('EverturnModel', SearchAttributeType.KEYWORD);
const TOOL = defineSearchAttributeKey('EverturnTool', SearchAttributeType.KEYWORD_LIST);
const TOKENS = defineSearchAttributeKey('EverturnTokens', SearchAttributeType.INT);

/** Whether the namespace knows our attributes; writing an unknown one would block the workflow. */
export type Searchable = boolean;

/** What every workflow of a session can be found by. */
export function identityAttributes(
  searchable: Searchable,
  { session, tenant }: Pick<SessionRef, 'session' | 'tenant'>,
) {
  if (!searchable) return {};
  return {
    typedSearchAttributes: new TypedSearchAttributes([
      { key: SESSION, value: session },
      { key: TENANT, value: tenant },
    ]),
  };
}

/** What a session that works for another can be found by. */
export function childAttributes(
  searchable: Searchable,
  { session, tenant, parent }: Pick<SessionRef, 'session' | 'tenant'> & { parent: SessionRef['session'] },
) {
  if (!searchable) return {};
  return {
    typedSearchAttributes: new TypedSearchAttributes([
      { key: SESSION, value: session },
      { key: TENANT, value: tenant },
      { key: PARENT, value: parent },
    ]),
  };
}

/** Makes a session findable by where it stands. */
export function publishStatus(
  searchable: Searchable,
  ref: Pick<SessionRef, 'session' | 'tenant'>,
  { status, tokens, model }: { status: SessionStatus; tokens: number; model: string },
): void {
  if (!searchable) return;
  upsertSearchAttributes([
    { key: SESSION, value: ref.session },
    { key: TENANT, value: ref.tenant },
    { key: STATUS, value: status },
    { key: TOKENS, value: tokens },
    ...(model ? [{ key: MODEL, value: model }] : []),
  ]);
}

/** Makes the workflow that asks a person findable while it waits. */
export function publishWaiting(searchable: Searchable, status: 'waiting' | 'running'): void {
  if (searchable) upsertSearchAttributes([{ key: STATUS, value: status }]);
}

/** Makes a step findable by its model and the tools it called. */
export function publishStep(searchable: Searchable, { model, tools }: { model: string; tools: string[] }): void {
  if (!searchable || tools.length === 0) return;
  upsertSearchAttributes([
    { key: MODEL, value: model },
    { key: TOOL, value: [...new Set(tools)] },
  ]);
}
