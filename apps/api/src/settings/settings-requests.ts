import { z } from 'zod';
import type { JsonObject } from '@everturn/core/domain';

/** Any JSON there is. */
const value: z.ZodType = z.json();
const section = z.record(z.string(), value);
const expectedRevision = z
  .int()
  .nonnegative()
  .optional()
  .describe('refuse unless the settings have this revision; 0 = nobody changed them yet');
const path = z.array(z.string().min(1).max(128)).min(1).max(16);

export const SettingsPath = z.object({ namespace: z.string().min(1).max(128) });
export type SettingsPath = z.output<typeof SettingsPath>;

/** Members to change, nested ones member by member. */
export const SettingsPatch = z.strictObject({ patch: section, expectedRevision });
export type SettingsPatch = { patch: JsonObject; expectedRevision?: number };

/** All the tenant says itself. */
export const SettingsSection = z.strictObject({ value: section, expectedRevision });
export type SettingsSection = { value: JsonObject; expectedRevision?: number };

/** Changes by path, all or none. */
export const SettingsOps = z.strictObject({
  ops: z
    .array(
      z.discriminatedUnion('op', [
        z.strictObject({ op: z.literal('set'), path, value }),
        z.strictObject({ op: z.literal('unset'), path }),
      ]),
    )
    .min(1)
    .max(100),
  expectedRevision,
});
export type SettingsOps = {
  ops: ({ op: 'set'; path: string[]; value: JsonObject } | { op: 'unset'; path: string[] })[];
  expectedRevision?: number;
};

/** Settings of one namespace, and where each part of them is from. */
export const SettingsView = z.strictObject({
  namespace: z.string(),
  description: z.string(),
  value: section.describe('what holds: defaults, then what the deployment says, then what you say'),
  base: section.optional().describe('what the deployment says'),
  user: section.optional().describe('what you say yourself'),
  schema: z.looseObject({}).describe('JSON Schema of the value'),
  applies: z.enum(['live', 'restart']),
  revision: z.int().nonnegative(),
});
export type SettingsView = z.output<typeof SettingsView>;

export const SettingsList = z.strictObject({ settings: z.array(SettingsView) });
export type SettingsList = z.output<typeof SettingsList>;

/** The settings after a change; `changed`: whether anything is different. */
export const SettingsReceipt = SettingsView.extend({ changed: z.boolean() });
export type SettingsReceipt = z.output<typeof SettingsReceipt>;
