import type { AuthoredEvent, JsonValue, StreamChunk } from '@everturn/core/domain';
import type {
  Commit,
  CommitLogInput,
  OpenLogInput,
  RecoverInput,
  SessionRef,
  SettleInput,
} from '../../contract/index.ts';
import { callClaim, modelClaim } from '../../contract/index.ts';
import { appendChunks } from '../append-chunks.ts';
import { beginEffect } from '../begin-effect.ts';
import { commit } from '../commit.ts';
import { finishEffect } from '../finish-effect.ts';
import { openLog } from '../open-log.ts';
import type { Projection } from '../projection.ts';
import { recover } from '../recover.ts';
import { settle } from '../settle.ts';

/** A model call whose answer is known beforehand. */
export interface CannedModel extends SessionRef {
  turn: number;
  step: number;
  commit: Commit;
  chunks: StreamChunk[];
  /** Without it the holder vanishes after its chunks. */
  message?: AuthoredEvent;
}
/** A tool call whose outcome is known beforehand. */
export interface CannedTool extends SessionRef {
  turn: number;
  step: number;
  call: { index: number; name: string };
  commit: Commit;
  outcome: JsonValue;
}

/** Activities over the real projection, with canned models and tools; inputs and results are those of the real ones. */
export function scriptedActivities(projection: Projection) {
  return {
    openLog: (input: OpenLogInput) => openLog(projection, input),
    recover: (input: RecoverInput) => recover(projection, input),
    settle: (input: SettleInput) => settle(projection, input),
    commitLog: (input: CommitLogInput) => commit(projection, input),
    streamModel: async (input: CannedModel) => {
      const { turn, step, chunks, message } = input;
      const begun = await beginEffect(projection, { ...input, claim: modelClaim(turn, step), label: 'canned' });
      if (begun.state !== 'granted') throw new Error(`the claim is ${begun.state}`);
      await appendChunks(projection, [{ target: { held: begun.held, turn, step }, first: 0, chunks }]);
      if (!message) return { acks: begun.acks };
      const outcome = { kind: 'success' };
      const finished = await finishEffect(projection, { held: begun.held, outcome, events: [message] });
      if (finished.kind === 'lost') throw new Error('the claim was lost');
      return { acks: begun.acks, outcome, written: finished.written, chunks: finished.chunks };
    },
    runTool: async (input: CannedTool) => {
      const { turn, step, call, outcome } = input;
      const begun = await beginEffect(projection, {
        ...input,
        claim: callClaim(turn, step, call.index),
        label: call.name,
      });
      if (begun.state !== 'granted') throw new Error(`the claim is ${begun.state}`);
      await finishEffect(projection, { held: begun.held, outcome });
      return { acks: begun.acks, outcome };
    },
  };
}
