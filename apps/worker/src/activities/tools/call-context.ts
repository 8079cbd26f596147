import { confinePorts, type ToolCallContext } from '@everturn/tools/kit';
import type { ActivityDeps } from '../activity-deps.ts';
import { choiceOf } from '../context/session-view.ts';
import { withPluginModels } from '../context/with-plugin-models.ts';
import { callRoute } from '../images/call-route.ts';
import { tenantAttachments } from '../images/attachments.ts';
import { inspectorsFor } from '../../plugins/index.ts';
import { askModel } from './ask-model.ts';
import { clientInspectors } from './client-inspectors.ts';
import { withPluginSkills } from '../workspace/with-plugin-skills.ts';
import type { CallPlace } from './call-place.ts';
import { notedResources } from './noted-resources.ts';
import { sessionFilePolicy } from './file-policy.ts';
import { sessionModels } from './session-models.ts';
import { sessionQueries } from './session-queries.ts';
import { sandboxPolicy } from './sandbox-policy.ts';
import { workingFolder } from './working-folder.ts';

/** What the caller of a body provides for one call. */
export async function callContext(
  everything: ActivityDeps,
  input: CallPlace,
  signal: AbortSignal,
): Promise<ToolCallContext> {
  const deps = withPluginModels(everything, input);
  const { tenant, session, turn, step, call, parent } = input;
  const place = parent ? `${parent.index}.${call.index}` : `${call.index}`;
  const resources = notedResources(deps, input, signal);
  const cwd = await workingFolder(input, deps.home);
  const sandbox = await sandboxPolicy(deps, input, cwd);
  return {
    initiator: { session, turn, step, call: parent?.index ?? call.index },
    callId: call.callId,
    ...(parent && { parent: parent.callId }),
    // By meaning, like the claim: the model's own call id may occur again in another step.
    idempotencyKey: `${tenant}/${session}/t${turn}.s${step}.c${place}`,
    signal,
    cwd,
    managedEnvironment: deps.managedEnvironment.collect({ home: deps.home, session }),
    settings: input.shell ? { ...deps.settings, shell: { ...deps.settings.shell, ...input.shell } } : deps.settings,
    sandbox,
    ports: {
      ...confinePorts(deps.ports, sandbox),
      skills: withPluginSkills(deps, input),
      attachments: tenantAttachments({ database: deps.database, tenant, limits: deps.settings.images }),
    },
    route: () => callRoute(deps, input),
    askModel: askModel(deps, input),
    resources,
    inspect: async () => {
      const { options } = await deps.facts.read(input);
      const here = inspectorsFor(deps.registry.view(input, choiceOf(options, deps)));
      return [...here, ...(await clientInspectors(deps.database, input))];
    },
    ...(deps.bundles && { plugins: deps.bundles.of(tenant) }),
    sessions: sessionQueries(deps, input),
    models: sessionModels(deps, input),
    filePolicy: sessionFilePolicy({ deps, input, signal, resources }),
  };
}
