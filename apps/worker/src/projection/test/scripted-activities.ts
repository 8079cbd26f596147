import type { AuthoredEvent, JsonValue, StreamChunk } from '@everturn/core/domain';
import type {
  Commit,
  CommitLogInput,
  FinishJobInput,
  OpenLogInput,
  ReadJobInput,
  RecoverInput,
  SessionRef,
  SettleInput,
} from '../../contract/index.ts';
import { callClaim, modelClaim } from '../../contract/index.ts';
import { admitJob, consumeOutput, finishJob, markAllStopping, type Job } from '@everturn/core/postgres';
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
  outcome: Record<string, JsonValue>;
  /** The label of a job that the call is given. */
  background?: string;
}

/** A question to listeners whose answer is known beforehand. */
export interface CannedQuestion extends SessionRef {
  turn: number;
  step: number;
  claim: string;
  interception: { point: string };
  commit: Commit;
  answer: Record<string, JsonValue>;
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
      const { turn, step, call, outcome: canned, background } = input;
      const begun = await beginEffect(projection, {
        ...input,
        claim: callClaim(turn, step, call.index),
        label: call.name,
      });
      if (begun.state !== 'granted') throw new Error(`the claim is ${begun.state}`);
      const job = background && (await admitted(projection, { ...input, label: background }));
      const outcome = { ...canned, ...(job && { job }) };
      await finishEffect(projection, { held: begun.held, outcome });
      return { acks: begun.acks, outcome };
    },
    intercept: async ({ answer, ...input }: CannedQuestion) => {
      const begun = await beginEffect(projection, { ...input, label: input.interception.point });
      if (begun.state !== 'granted') throw new Error(`the claim is ${begun.state}`);
      await finishEffect(projection, { held: begun.held, outcome: answer });
      return { ...answer, acks: begun.acks, registry: 'r' };
    },
    finishJob: async ({ end, ...key }: FinishJobInput) =>
      found(await finishJob(projection.database, { ...key, ...end })),
    stopAllJobs: async (key: SessionRef) => ({ jobs: await markAllStopping(projection.database, key) }),
    readJob: async (input: ReadJobInput) => {
      await consumeOutput(projection.database, input);
      return { kind: 'read', text: '' };
    },
  };
}

const found = (job: Job | undefined) => (job ? { kind: 'found', job } : { kind: 'unknown' });

async function admitted(
  { database }: Projection,
  { tenant, session, turn, step, call, label }: CannedTool & { label: string },
): Promise<{ id: string; kind: string; label: string }> {
  const asked = { tenant, session, turn, step, call: callClaim(turn, step, call.index), kind: 'bash', label, limit: 9 };
  const result = await admitJob(database, asked);
  if (result.kind !== 'admitted') throw new Error(`the job is ${result.kind}`);
  return { id: result.id, kind: 'bash', label };
}
