import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { workspaceRoot } from '../dev/stack/paths.ts';
import { bundleWorkflows } from './bundle-workflows.ts';
import { exemptFromFreezing } from './shared-modules.ts';

interface Bundle {
  preloadModules(): void;
  importWorkflows(): Record<string, unknown>;
}

/** Runs the bundle as a thread of the SDK does: what is loaded before there is a workflow is shared. */
async function loadBundle() {
  const shared = new Map<string, unknown>();
  const own = new Map<string, unknown>();
  let loading = shared;
  const cache = new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, id) => shared.get(String(id)) ?? own.get(String(id)),
      set: (_, id, module) => loading.set(String(id), module) === loading,
    },
  );
  const globals = { console, URL, TextEncoder, TextDecoder, AbortController, AsyncLocalStorage };
  const context = createContext({ ...globals, __webpack_module_cache__: cache });
  new Script(readFileSync(await bundleWorkflows(workspaceRoot), 'utf8')).runInContext(context);
  const bundle = context['__TEMPORAL__'] as Bundle;
  bundle.preloadModules();
  context['__TEMPORAL_ACTIVATOR__'] = {};
  loading = own;
  return { shared, own, workflows: Object.keys(bundle.importWorkflows()) };
}

test('a workflow loads nothing anew, and our rooms are shared as they are', { timeout: 60_000 }, async () => {
  const { shared, own, workflows } = await loadBundle();
  expect(workflows).toEqual(expect.arrayContaining(['sessionWorkflow', 'turnWorkflow', 'stepWorkflow']));
  expect([...own.keys()]).toEqual([]);
  const freezable = [...shared].filter(([id, module]) => id.startsWith('./libs/') && !Object.isFrozen(module));
  expect(freezable).toEqual([]);
});

test('a bundle of another shape is refused', () => {
  expect(() => exemptFromFreezing('no loader')).toThrow(expect.objectContaining({ code: 'INFRA_BUNDLE_FAILED' }));
});
