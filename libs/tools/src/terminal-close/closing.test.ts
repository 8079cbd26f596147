import { describe, expect, test } from 'vitest';
import { missing } from '../../test/runners.ts';
import { openWorkspace, pidsOf } from '../../test/workspace.ts';
import { ToolSettings } from '../kit/index.ts';

const note = await missing('bubblewrap');

describe.each(['danger-full-access', 'workspace-write'] as const)('under %s', (mode) => {
  // The grace is longer than the test may take.
  test.skipIf(mode !== 'danger-full-access' && note !== '')(
    `a shell that is asked to end ends at once, with what it started${note}`,
    async () => {
      const { call } = await openWorkspace();
      const patient = { sandbox: { mode }, settings: ToolSettings.parse({ terminal: { graceMs: 120_000 } }) };
      await call('terminal_open', { type: 'shell' }, patient);
      const sent = await call('terminal_send', { sessionId: 'pty-1', text: 'sleep 600 & echo st""arted' }, patient);
      expect(sent.text).toContain('started\n');
      expect(await call('terminal_close', { sessionId: 'pty-1' })).toMatchObject({ isError: false });
      expect(await pidsOf('EVERTURN_PTY_SESSION_ID', 'pty-1')).toEqual([]);
    },
  );
});
