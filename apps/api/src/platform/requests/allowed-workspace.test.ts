import { expect, test } from 'vitest';
import { refuseForeignWorkspace } from './allowed-workspace.ts';

test.each([[undefined], ['/srv/work'], ['/srv/work/a/b'], ['/data/x']])('%s may be a workspace', (workspace) => {
  expect(() => refuseForeignWorkspace(workspace, ['/srv/work', '/data/'])).not.toThrow();
});

test.each([['/srv/workshop'], ['/srv'], ['/etc'], ['/']])('%s may not', (workspace) => {
  expect(() => refuseForeignWorkspace(workspace, ['/srv/work', '/data/'])).toThrow(
    expect.objectContaining({ code: 'WORKSPACE_NOT_ALLOWED' }),
  );
});
