import { z } from 'zod';
import type { JsonObject } from '../json.ts';
import type { TitleCadence } from '../title-request.ts';

/** A part of a tenant's settings with a name of its own. */
export interface SettingsNamespace {
  name: string;
  description: string;
  /** What the whole of it must be, defaults and the deployment's word included. */
  schema: z.ZodType;
  defaults: JsonObject;
  /** Whether a change is heeded at the next defined point, or only by processes that start after it. */
  applies: 'live' | 'restart';
}

const namespaces = new Map<string, SettingsNamespace>();

/** Adds a namespace; its name is kebab-case and given once. */
export function registerSettings(namespace: SettingsNamespace): void {
  const { name } = namespace;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) throw new TypeError(`"${name}" is no kebab-case name of settings`);
  if (namespaces.has(name)) throw new TypeError(`the settings "${name}" are registered already`);
  namespaces.set(name, Object.freeze(namespace));
}

/** The namespace of a name. */
export function settingsNamespace(name: string): SettingsNamespace | undefined {
  return namespaces.get(name);
}

/** All namespaces, by name. */
export function settingsNamespaces(): SettingsNamespace[] {
  return [...namespaces.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What the namespace `session-title` comes to. */
export interface TitlePolicy {
  cadence: TitleCadence;
  /** Whom to ask, if not the session's own model. */
  provider?: string;
  model?: string;
}

/** The name of {@link TitlePolicy}'s settings. */
export const TITLE_SETTINGS = 'session-title';

registerSettings({
  name: TITLE_SETTINGS,
  description: 'When a model is asked for titles of sessions, and which',
  schema: z
    .strictObject({
      cadence: z.enum(['off', 'first-prompt', 'every-prompt']),
      provider: z.string().min(1).max(128).exactOptional(),
      model: z.string().min(1).max(256).exactOptional(),
    })
    .refine(({ provider, model }) => (provider === undefined) === (model === undefined), {
      path: ['model'],
      message: 'give provider and model together, or neither',
    }),
  defaults: { cadence: 'off' },
  applies: 'live',
});
