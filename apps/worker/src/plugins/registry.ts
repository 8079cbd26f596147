import type { SessionId } from '@everturn/core/domain';
import { RegistryLayer } from './registry-layer.ts';
import { registryVersion } from './registry-version.ts';
import { toolsetsOf, viewOf, type RegistryView, type ViewChoice } from './registry-view.ts';
import type { Unregister } from './registry-layer.ts';

/** Sets up one session's own registrations; runs once per session and worker, and must not throw. */
export type SessionSetup = (session: SessionId, layer: RegistryLayer) => void;

/** Beyond this many sessions a worker drops the scopes used longest ago; setups make them again. */
const SCOPES_KEPT = 10_000;

/** Everything that is registered in this process: for all sessions, and for single ones. */
export class Registry {
  readonly global: RegistryLayer;
  readonly #scopes = new Map<SessionId, RegistryLayer>();
  readonly #setups: SessionSetup[] = [];
  readonly #codeDigests: string[] = [];
  readonly #versions = new Map<RegistryLayer | undefined, string>();

  constructor() {
    this.global = new RegistryLayer({ onChange: () => this.#versions.clear() });
  }

  /** Registers for every session's own scope, on every worker that meets the session. */
  eachSession(setup: SessionSetup): Unregister {
    this.#setups.push(setup);
    this.#forgetScopes();
    return () => {
      this.#setups.splice(this.#setups.indexOf(setup), 1);
      this.#forgetScopes();
    };
  }

  /** Makes the code of a plugin part of the version. */
  addCode(digest: string): void {
    this.#codeDigests.push(digest);
    this.#versions.clear();
  }

  /** The scope of one session; what it holds goes with {@link dispose}. */
  scope(session: SessionId): RegistryLayer {
    const known = this.#scopes.get(session);
    if (known) {
      this.#scopes.delete(session); // last used = last in the map
      this.#scopes.set(session, known);
      return known;
    }
    const layer: RegistryLayer = new RegistryLayer({ onChange: () => this.#versions.delete(layer) });
    this.#scopes.set(session, layer);
    for (const setup of this.#setups) setup(session, layer);
    if (this.#scopes.size > SCOPES_KEPT) this.dispose(this.#scopes.keys().next().value as SessionId);
    return layer;
  }

  /** What a session sees by its choice; throws PluginError for a choice that names nothing there is. */
  view(session: SessionId, choice: ViewChoice = {}): RegistryView {
    const scoped = this.#scopeOf(session);
    return viewOf({ global: this.global, ...(scoped && { scoped }), choice, version: this.#version(scoped) });
  }

  /** The optional sets of tools a session may choose from. */
  toolsets(session: SessionId): ReadonlySet<string> {
    const scoped = this.#scopeOf(session);
    return new Set(toolsetsOf(scoped ? [this.global, scoped] : [this.global]));
  }

  /** The version a session's view has; a caller that planned with another one must assemble again. */
  version(session: SessionId): string {
    return this.#version(this.#scopeOf(session));
  }

  /** Drops a session's own registrations. */
  dispose(session: SessionId): void {
    const layer = this.#scopes.get(session);
    this.#scopes.delete(session);
    this.#versions.delete(layer);
  }

  #scopeOf(session: SessionId): RegistryLayer | undefined {
    return this.#setups.length > 0 ? this.scope(session) : this.#scopes.get(session);
  }

  #version(scoped: RegistryLayer | undefined): string {
    const known = this.#versions.get(scoped);
    if (known !== undefined) return known;
    const version = registryVersion(scoped ? [this.global, scoped] : [this.global], this.#codeDigests);
    this.#versions.set(scoped, version);
    return version;
  }

  #forgetScopes(): void {
    this.#scopes.clear();
    this.#versions.clear();
  }
}
