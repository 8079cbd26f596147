import { defineConfig } from 'vitest/config';
import { LongestFirst } from './infra/dev/test/longest-first.ts';

const kinds = { db: '**/*.db.test.ts', e2e: '**/*.e2e.test.ts', full: '**/*.full.test.ts' };
const everywhere = ['**/node_modules/**', '**/.everturn/**', '**/dist/**', 'infra/demo/workspace/**'];

// Real servers are shared by a run; its processes are tied to the process (not the thread) that spawned them.
const withServers = { pool: 'forks' as const, globalSetup: ['./libs/core/src/testing/global-setup.ts'] };

// A second, the default, is not much for a program to start in.
const patient = { expect: { poll: { timeout: 30_000 } } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          ...patient,
          include: ['**/*.test.ts'],
          exclude: [...everywhere, ...Object.values(kinds)],
          // Not threads: a crash in a native module would take every file along, and say nothing.
          pool: 'forks',
          // One more than cores: shells and terminals mostly wait.
          maxWorkers: 3,
          // Bounds a hang; how fast a busy machine works through a property says nothing about the property.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'db',
          ...patient,
          include: [kinds.db],
          exclude: everywhere,
          ...withServers,
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Three files at a time, because they wait a third of theirs; each in a process that lives on: its files share a
        // stack, which takes seconds to start.
        test: {
          name: 'e2e',
          ...patient,
          include: [kinds.e2e],
          exclude: everywhere,
          ...withServers,
          isolate: false,
          maxWorkers: 3,
          maxConcurrency: 3,
          sequence: { groupOrder: 1 },
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'full',
          ...patient,
          include: [kinds.full],
          exclude: everywhere,
          ...withServers,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          testTimeout: 900_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
