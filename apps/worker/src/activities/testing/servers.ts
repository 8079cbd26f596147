import { afterAll, beforeAll } from 'vitest';
import { startScriptedModel, type ScriptedModel } from '@everturn/core/providers';
import type { Projection } from '../../projection/index.ts';
import { closeTestProjection, newSession, openTestProjection } from '../../projection/test/test-session.ts';

/** The model all processes of a test file ask, from the first test on. */
export let model: ScriptedModel;
/** The projection they write through, on a database of the file's own. */
export let projection: Projection;

beforeAll(async () => {
  await openTestProjection();
  projection = (await newSession()).projection;
  model = await startScriptedModel();
});
afterAll(async () => {
  await model.close();
  await closeTestProjection();
});
