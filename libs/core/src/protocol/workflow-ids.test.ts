import { expect, test } from 'vitest';
import type { JobId, SessionId } from '../domain/index.ts';
import {
  jobWorkflowId,
  parseWorkflowId,
  programWorkflowId,
  ralphWorkflowId,
  sessionWorkflowId,
  stepWorkflowId,
  turnWorkflowId,
} from './workflow-ids.ts';

const session = 's.1-x' as SessionId;

test.each([
  [sessionWorkflowId(session), { session }],
  [turnWorkflowId(session, 3), { session, turn: 3 }],
  [stepWorkflowId(session, 3, 12), { session, turn: 3, step: 12 }],
  [programWorkflowId(session, 3, 12, '4'), { session, turn: 3, step: 12, program: '4' }],
  [programWorkflowId(session, 3, 12, '4.7'), { session, turn: 3, step: 12, program: '4.7' }],
  [ralphWorkflowId(session, 3, 12, '4'), { session, turn: 3, step: 12, ralph: '4' }],
  [ralphWorkflowId(session, 3, 12, '4.7'), { session, turn: 3, step: 12, ralph: '4.7' }],
  [jobWorkflowId(session, 'pty-send-2' as JobId), { session, job: 'pty-send-2' }],
  ['session:s.1-x/step:3', undefined],
  ['session:s.1-x/program:t3.s12', undefined],
  ['maintenance:all', undefined],
])('%s', (id, address) => {
  expect(parseWorkflowId(id)).toEqual(address);
});
