import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startScriptedModel, type ScriptedModel } from '@everturn/core/testing';
import type { Projection } from '../../projection/index.ts';
import { closeTestProjection, newSession, openTestProjection } from '../../projection/test/test-session.ts';
import { testHooks, type TestHooksInput } from './test-hooks.ts';

type MoreOfHooks = Omit<TestHooksInput, 'projection' | 'model' | 'folder' | 'content'>;

/** What a file of tests about hooks works with: a database and a model of the file's, and a folder of each test's. */
export function hookWorkers() {
  let model: ScriptedModel;
  let projection: Projection;
  let folder: string;
  beforeAll(async () => {
    await openTestProjection();
    ({ projection } = await newSession());
    model = await startScriptedModel();
  });
  afterAll(async () => {
    await model.close();
    await closeTestProjection();
  });
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'everturn-hook-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return {
    /** A path in the test's folder. */
    inFolder: (name: string) => join(folder, name),
    database: () => projection.database,
    /** A worker that has read these hooks. */
    withHooks: (content: unknown, more: MoreOfHooks = {}) => testHooks({ projection, model, folder, content, ...more }),
  };
}
