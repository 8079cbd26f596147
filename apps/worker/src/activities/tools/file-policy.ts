import { FileObservations, ObservationBudget, type FilePolicy, type SessionResources } from '@everturn/tools/kit';
import { askWaterfall, runInOrder, type ListenerContext } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import type { CallPlace } from './call-place.ts';

/** About 40 MB of names and versions. */
const budget = new ObservationBudget({ max: 100_000 });

export interface SessionFilePolicyInput {
  deps: Pick<ActivityDeps, 'registry'>;
  input: CallPlace;
  signal: AbortSignal;
  resources: SessionResources;
}

/**
 * Lets listeners decide about changes of files and tells them what was seen. What a session has seen is kept in this
 * process only: after a restart nothing counts as read, and a model has to look again before it changes anything.
 */
export function sessionFilePolicy({ deps, input, signal, resources }: SessionFilePolicyInput): FilePolicy {
  const { tenant, session, turn, step, call } = input;
  const view = deps.registry.view(input);
  const context: ListenerContext = { initiator: { tenant, session, turn, step, callId: call.callId }, signal };
  const observations = () => resources.open('files/observed', async () => new FileObservations(budget));
  const question = async (file: Parameters<FilePolicy['writeIntent']>[0]) => {
    const last = (await observations()).last(file);
    return { file, ...(last && { last }) };
  };
  return {
    writeIntent: async (file) =>
      askWaterfall<'fs/write-intent'>({
        listeners: view.listeners('fs/write-intent'),
        input: await question(file),
        context,
        fallback: undefined,
      }),
    editVersion: async (file) =>
      askWaterfall<'fs/edit-intent'>({
        listeners: view.listeners('fs/edit-intent'),
        input: await question(file),
        context,
        fallback: undefined,
      }),
    observed: async ({ displayPath, identity }, seen) => {
      const file = { displayPath, identity };
      (await observations()).record(file, seen);
      await runInOrder<'fs/observed'>({ listeners: view.listeners('fs/observed'), input: { file, seen }, context });
    },
  };
}
