import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import type { ApiConfig } from '@everturn/core/config';
import type { Logger } from 'pino';
import { AppModule } from '../../app.module.ts';
import { openApiDocument } from './document.ts';
import { listRoutes } from './list-routes.ts';

const routes = listRoutes(AppModule.with({ config: {} as ApiConfig, logger: {} as Logger }));
const document = openApiDocument({ routes, version: '1.2.3' }) as unknown as {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        summary: string;
        operationId: string;
        responses: Record<string, unknown>;
        parameters: { name: string; in: string }[];
      }
    >
  >;
};

test('is a valid OpenAPI 3.1 document whose references all lead somewhere', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!.split('/'));
  expect(references.length).toBeGreaterThan(20);
  const reach = (path: string[]) =>
    path.reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], document);
  expect(references.filter((path) => reach(path) === undefined)).toEqual([]);
});

test('lists every route', () => {
  const listed = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.toSorted()).toEqual(
    [
      'POST /v1/sessions/import',
      'GET /v1/sessions/{id}/feedback',
      'PUT /v1/sessions/{id}/feedback/{seq}',
      'DELETE /v1/sessions/{id}/feedback/{seq}',
      'POST /v1/sessions/{id}/references',
      'GET /v1/settings',
      'GET /v1/settings/{namespace}',
      'PATCH /v1/settings/{namespace}',
      'PUT /v1/settings/{namespace}',
      'POST /v1/settings/{namespace}/mutate',
      'GET /v1/sessions/{id}/commands',
      'POST /v1/sessions/{id}/children/{child}/interrupt',
      'POST /v1/sessions/{id}/children/{child}/prompts',
      'POST /v1/sessions/{id}/commands',
      'GET /v1/sessions/{id}/export',
      'GET /v1/sessions/{id}/plan',
      'PUT /v1/sessions/{id}/plan',
      'GET /v1/sessions/{id}/model',
      'PUT /v1/sessions/{id}/model',
      'GET /v1/llm/providers',
      'GET /v1/llm/providers/{provider}/models',
      'GET /v1/credentials',
      'GET /v1/credentials/{ref}',
      'PUT /v1/credentials/{ref}',
      'DELETE /v1/credentials/{ref}',
      'GET /v1/sessions/{id}/permissions',
      'POST /v1/sessions/{id}/tree/cancel',
      'POST /v1/sessions/{id}/fork',
      'GET /v1/sessions/{id}/children',
      'GET /v1/sessions/{id}/team',
      'GET /v1/sessions/{id}/tree',
      'PUT /v1/sessions/{id}/permissions',
      'POST /v1/sessions',
      'GET /v1/sessions',
      'GET /v1/sessions/{id}',
      'DELETE /v1/sessions/{id}',
      'POST /v1/sessions/{id}/prompts',
      'PATCH /v1/sessions/{id}/queue/{promptId}',
      'DELETE /v1/sessions/{id}/queue/{promptId}',
      'GET /v1/sessions/{id}/requests/{requestId}',
      'POST /v1/sessions/{id}/inject',
      'POST /v1/sessions/{id}/cancel',
      'POST /v1/sessions/{id}/compact',
      'POST /v1/sessions/{id}/interrupt',
      'POST /v1/sessions/{id}/resume',
      'GET /v1/sessions/{id}/events',
      'GET /v1/sessions/{id}/messages',
      'GET /v1/sessions/{id}/transcript',
      'GET /v1/sessions/{id}/effects',
      'GET /v1/sessions/{id}/attachments/{attachmentId}',
      'POST /v1/attachments',
      'GET /v1/sessions/{id}/interactions',
      'GET /v1/sessions/{id}/jobs',
      'GET /v1/sessions/{id}/jobs/{job}',
      'GET /v1/sessions/{id}/jobs/{job}/output',
      'POST /v1/sessions/{id}/jobs/{job}/kill',
      'GET /v1/schedules',
      'POST /v1/schedules',
      'GET /v1/schedules/{schedule}',
      'PATCH /v1/schedules/{schedule}',
      'DELETE /v1/schedules/{schedule}',
      'POST /v1/schedules/{schedule}/pause',
      'POST /v1/schedules/{schedule}/unpause',
      'POST /v1/schedules/{schedule}/trigger',
      'POST /v1/schedules/{schedule}/backfill',
      'GET /v1/sessions/{id}/goal',
      'PUT /v1/sessions/{id}/goal',
      'DELETE /v1/sessions/{id}/goal',
      'GET /v1/sessions/{id}/reminders',
      'POST /v1/sessions/{id}/reminders',
      'DELETE /v1/sessions/{id}/reminders/{reminder}',
      'POST /v1/webhooks',
      'PUT /v1/sessions/{id}/title',
      'GET /v1/sessions/{id}/projections',
      'GET /v1/sessions/{id}/skills',
      'GET /v1/webhooks',
      'GET /v1/webhooks/{webhook}',
      'PATCH /v1/webhooks/{webhook}',
      'DELETE /v1/webhooks/{webhook}',
      'GET /v1/webhooks/{webhook}/deliveries',
      'POST /v1/webhooks/{webhook}/deliveries/{delivery}/redeliver',
      'PUT /v1/sessions/{id}/inspect/{client}',
      'DELETE /v1/sessions/{id}/inspect/{client}',
      'GET /v1/sessions/{id}/inspect/{client}/queries',
      'POST /v1/sessions/{id}/inspect/{client}/queries/{query}',
      'GET /v1/search',
      'GET /v1/search/sessions',
      'POST /v1/sessions/{id}/approvals/{interactionId}',
      'POST /v1/sessions/{id}/questions/{interactionId}/answer',
      'GET /v1/events',
      'GET /v1/host',
      'GET /v1/health/live',
      'GET /v1/health/ready',
      'GET /v1/openapi.json',
      'GET /metrics',
    ].toSorted(),
  );
});

test('every route is described, named once and documents its path parameters', () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path, operation })),
  );
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  for (const { path, operation } of operations) {
    expect([path, operation.summary]).not.toContain('');
    expect(Object.keys(operation.responses).filter((status) => status.startsWith('2'))).not.toEqual([]);
    const named = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(named.toSorted()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).toSorted());
  }
});

test('says what a body may hold', () => {
  const operation = document.paths['/v1/sessions']!['post'] as unknown as {
    requestBody: {
      required: boolean;
      content: { 'application/json': { schema: { properties: object; additionalProperties: boolean } } };
    };
    responses: Record<string, object>;
  };
  const { schema } = operation.requestBody.content['application/json'];
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties).toSorted()).toEqual([
    'id',
    'maxTokens',
    'metadata',
    'model',
    'permissions',
    'planEnforcement',
    'planMode',
    'prompt',
    'provider',
    'reasoningEffort',
    'stepIsolation',
    'stop',
    'subagentModels',
    'systemPrompt',
    'temperature',
    'tools',
    'toolsMode',
    'toolsets',
    'workspace',
  ]);
  expect(Object.keys(operation.responses)).toEqual(['200', '201', '400', '401', '409', '413', '415', '503']);
});
