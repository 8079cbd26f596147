import { z } from 'zod';
import { PresetName } from '../permissions.ts';
import { registerSettings } from './settings-namespace.ts';

/** The name of the settings that say with which permissions a tenant's sessions begin. */
export const PERMISSION_SETTINGS = 'permission';

registerSettings({
  name: PERMISSION_SETTINGS,
  description: 'Which preset new sessions get that were created with none; those that are there keep what they have',
  schema: z.strictObject({ defaultPreset: PresetName }),
  defaults: { defaultPreset: 'workspace-write' },
  applies: 'live',
});
