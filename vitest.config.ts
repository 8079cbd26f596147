import { defineConfig } from 'vitest/config';

const kinds = { db: '**/*.db.test.ts', e2e: '**/*.e2e.test.ts', full: '**/*.full.test.ts' };
const everywhere = ['**/node_modules/**', '**/.everturn/**', '**/dist/**', 'infra/demo/workspace/**'];

// Real servers are shared by a run; its processes are tied to the process (not the thread) that spawned them.
const withServers = { pool: 'forks' as const, globalSetup: ['./libs/core/src/testing/global-setup.ts'] };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...everywhere, ...Object.values(kinds)],
          pool: 'threads',
          maxWorkers: 2,
          // Bounds a hang; how fast a busy machine works through a property says nothing about the property.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'db',
          include: [kinds.db],
          exclude: everywhere,
          ...withServers,
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // One file at a time: each runs a worker and an API, and kills them.
        test: {
          name: 'e2e',
          include: [kinds.e2e],
          exclude: everywhere,
          ...withServers,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'full',
          include: [kinds.full],
          exclude: everywhere,
          ...withServers,
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
