import { z } from 'zod';
import { ModelRoutes } from '../model-selection.ts';
import { registerSettings } from './settings-namespace.ts';

/** The name of the settings that say which models a tenant's sessions may give the agents they start. */
export const SUBAGENT_MODEL_SETTINGS = 'subagent-model-selection';

registerSettings({
  name: SUBAGENT_MODEL_SETTINGS,
  description:
    'Models that new sessions created without `subagentModels` may choose from for agents they start; none = agents have the model of their session',
  schema: z.strictObject({ allowedModels: ModelRoutes }),
  defaults: { allowedModels: [] },
  applies: 'live',
});
