import { z } from 'zod';
import type { SessionEventMap } from './events.ts';
import type { ApprovalPolicy, SandboxMode } from './sandbox-mode.ts';

export const PresetName = z.enum(['read-only', 'workspace-write', 'danger-full-access']);
/** A named pair of knobs; `custom` is what pairs without a name are called, and no preset. */
export type PresetName = z.infer<typeof PresetName>;

interface Knobs {
  sandbox: SandboxMode;
  approval: ApprovalPolicy;
}

/** What each preset sets, in the order they are offered. */
export const PRESETS: Readonly<Record<PresetName, Knobs>> = {
  'read-only': { sandbox: 'read-only', approval: 'ask' },
  'workspace-write': { sandbox: 'workspace-write', approval: 'ask' },
  'danger-full-access': { sandbox: 'danger-full-access', approval: 'never' },
};

/** What a session's tools may do now. Enforcement reads the knobs; the preset is a name for them. */
export interface Permissions extends Knobs {
  /** Chosen last; counts only while the knobs are as it sets them. */
  preset?: PresetName;
}

const FACTS = ['permission/preset', 'sandbox/mode', 'approval/policy'] as const;
type FactType = (typeof FACTS)[number];

/** An event about permissions, as the log keeps it. */
export type PermissionFact = { [T in FactType]: { type: T; data: SessionEventMap[T] } }[FactType];

/** An event that stands in a session's first turn, because it was fixed when the session was made. */
export type CreationFact =
  | PermissionFact
  | { type: 'subagent/descriptor'; data: SessionEventMap['subagent/descriptor'] }
  | { type: 'subagent/model-selection-policy'; data: SessionEventMap['subagent/model-selection-policy'] };

/** What the log says last of each; the types of the events it says it with. */
export const PERMISSION_FACTS: readonly FactType[] = FACTS;

/** What somebody wants changed. */
export interface PermissionChange {
  preset?: PresetName;
  sandboxMode?: SandboxMode;
  approvalPolicy?: ApprovalPolicy;
}

/** The name of a pair of knobs: the preset that was chosen, if they still fit it, else the first that fits. */
export function currentPreset(permissions: Permissions): PresetName | 'custom' {
  const fits = (name: PresetName) =>
    PRESETS[name].sandbox === permissions.sandbox && PRESETS[name].approval === permissions.approval;
  if (permissions.preset && fits(permissions.preset)) return permissions.preset;
  return PresetName.options.find(fits) ?? 'custom';
}

/** What facts of a log amount to; the last of each kind counts. */
export function foldPermissions(facts: readonly PermissionFact[]): Partial<Permissions> {
  const folded: Partial<Permissions> = {};
  for (const fact of facts) {
    if (fact.type === 'sandbox/mode') folded.sandbox = fact.data.mode;
    else if (fact.type === 'approval/policy') folded.approval = fact.data.policy;
    else {
      const preset = PresetName.safeParse(fact.data.preset);
      if (preset.success) folded.preset = preset.data;
    }
  }
  return folded;
}

export interface OpenPermissionsInput {
  /** What the log says already; a fork's prefix, say. */
  recorded: Partial<Permissions>;
  /** What the session was created with. */
  wanted: PermissionChange;
  /** The deployment's preset. */
  fallback: PresetName;
  /** A child of another session's agent: nobody is there to ask, whatever its prefix says. */
  delegated: boolean;
}

/** A session's permissions when it opens, and the facts its log still lacks. */
export function openPermissions(input: OpenPermissionsInput): { permissions: Permissions; missing: PermissionFact[] } {
  const { recorded, wanted, fallback, delegated } = input;
  const bundle = PRESETS[recorded.preset ?? wanted.preset ?? fallback];
  // What its parent may do now binds a child, whatever a prefix says.
  const bound = delegated ? wanted.sandboxMode : undefined;
  const sandbox = bound ?? recorded.sandbox ?? wanted.sandboxMode ?? bundle.sandbox;
  const approval = delegated ? 'never' : (recorded.approval ?? wanted.approvalPolicy ?? bundle.approval);
  const chosen = recorded.preset ?? wanted.preset;
  const name = currentPreset({ sandbox, approval, ...(chosen && { preset: chosen }) });
  const preset = recorded.preset ?? (name === 'custom' ? undefined : name);
  const source = delegated ? { source: 'delegation' as const } : {};
  const missing: PermissionFact[] = [];
  if (preset && preset !== recorded.preset && !delegated) missing.push({ type: 'permission/preset', data: { preset } });
  if (bound === undefined ? recorded.sandbox === undefined && !delegated : recorded.sandbox !== bound)
    missing.push({ type: 'sandbox/mode', data: { mode: sandbox, ...source } });
  if (recorded.approval !== approval) missing.push({ type: 'approval/policy', data: { policy: approval, ...source } });
  return { permissions: { sandbox, approval, ...(preset && { preset }) }, missing };
}

/** Permissions after a change, the facts to write, and what the model is told; nothing where nothing changes. */
export function changePermissions(
  before: Permissions,
  { preset, sandboxMode, approvalPolicy }: PermissionChange,
): { permissions: Permissions; facts: PermissionFact[]; notices: string[] } {
  const bundle = preset && PRESETS[preset];
  const sandbox = sandboxMode ?? bundle?.sandbox ?? before.sandbox;
  const approval = approvalPolicy ?? bundle?.approval ?? before.approval;
  const facts: PermissionFact[] = [];
  const notices: string[] = [];
  if (preset && currentPreset(before) !== preset) facts.push({ type: 'permission/preset', data: { preset } });
  if (sandbox !== before.sandbox) {
    facts.push({ type: 'sandbox/mode', data: { mode: sandbox } });
    notices.push(told('sandbox mode', before.sandbox, sandbox));
  }
  if (approval !== before.approval) {
    facts.push({ type: 'approval/policy', data: { policy: approval } });
    notices.push(told('approval policy', before.approval, approval));
  }
  const chosen = preset ?? before.preset;
  return { permissions: { sandbox, approval, ...(chosen && { preset: chosen }) }, facts, notices };
}

const told = (what: string, from: string, to: string): string =>
  `The ${what} changed from "${from}" to "${to}" (changed by the user).`;
