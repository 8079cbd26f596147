import type { SessionId, TenantId } from '@everturn/core/domain';
import type { LlmRoute } from '@everturn/core/providers';
import type { LoadedSkill } from '@everturn/tools/kit';
import type { HumanCommand } from './commands.ts';
import { RegistryLayer } from './registry-layer.ts';
import { registryVersion } from './registry-version.ts';
import { toolsetsOf, viewOf, type RegistryView, type ViewChoice } from './registry-view.ts';
import type { Unregister } from './registry-layer.ts';

/** Sets up one session's own registrations; runs once per session and worker, and must not throw. */
export type SessionSetup = (session: SessionId, layer: RegistryLayer) => void;

/** Whose view of the registry is wanted. */
export interface RegistryPlace {
  readonly tenant: TenantId;
  readonly session: SessionId;
}

/** Beyond this many sessions a worker drops the scopes used longest ago; setups make them again. */
const SCOPES_KEPT = 10_000;

/** How many views are kept at a time; most sessions share one. */
const VIEWS_KEPT = 500;

/** What was made of layers as they are; it goes when one of them changes. */
interface Derived {
  readonly version: string;
  /** By the choice as JSON. */
  readonly views: Map<string, RegistryView>;
}

/** Everything that is registered in this process: for all sessions, for those of one tenant, and for single ones. */
export class Registry {
  readonly global: RegistryLayer;
  readonly #tenants = new Map<TenantId, RegistryLayer>();
  readonly #scopes = new Map<SessionId, RegistryLayer>();
  readonly #setups: SessionSetup[] = [];
  /** By the layer of the session, then by that of the tenant. */
  readonly #derived = new Map<RegistryLayer | undefined, Map<RegistryLayer | undefined, Derived>>();
  #keptViews = 0;

  constructor() {
    this.global = new RegistryLayer({ onChange: () => this.#derived.clear() });
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

  /** What every session of a tenant has besides; it shadows what all have. */
  tenant(tenant: TenantId): RegistryLayer {
    const known = this.#tenants.get(tenant) ?? new RegistryLayer({ onChange: () => this.#derived.clear() });
    this.#tenants.set(tenant, known);
    return known;
  }

  /** The scope of one session; what it holds goes with {@link dispose}. */
  scope(session: SessionId): RegistryLayer {
    const known = this.#scopes.get(session);
    if (known) {
      this.#scopes.delete(session); // last used = last in the map
      this.#scopes.set(session, known);
      return known;
    }
    const layer: RegistryLayer = new RegistryLayer({ onChange: () => this.#derived.delete(layer) });
    this.#scopes.set(session, layer);
    for (const setup of this.#setups) setup(session, layer);
    if (this.#scopes.size > SCOPES_KEPT) this.dispose(this.#scopes.keys().next().value as SessionId);
    return layer;
  }

  /** What a session sees by its choice; throws PluginError for a choice that names nothing there is. */
  view(place: RegistryPlace, choice: ViewChoice = {}): RegistryView {
    const { version, views } = this.#derivedFor(place);
    const key = JSON.stringify(choice);
    const known = views.get(key);
    if (known) return known;
    const scoped = this.#scopeOf(place.session);
    const view = viewOf({ shared: this.#sharedBy(place), ...(scoped && { scoped }), choice, version });
    this.#keptViews += 1;
    if (this.#keptViews > VIEWS_KEPT) this.#forgetViews();
    views.set(key, view);
    return view;
  }

  /** The skills that plugins bring to a session; its own come before its tenant's, and these before everybody's. */
  skills(place: RegistryPlace): LoadedSkill[] {
    return [...new Map(this.#layersOf(place).flatMap(({ skills }) => [...skills])).values()];
  }

  /** The ways to models that plugins bring to a session. */
  routes(place: RegistryPlace): LlmRoute[] {
    return [...new Map(this.#layersOf(place).flatMap(({ routes }) => [...routes])).values()];
  }

  /** The ways to models that plugins bring, with the tenant that has them; absent: all have. */
  everyRoute(): { tenant?: TenantId; route: LlmRoute }[] {
    return [
      ...[...this.global.routes.values()].map((route) => ({ route })),
      ...[...this.#tenants].flatMap(([tenant, { routes }]) => [...routes.values()].map((route) => ({ tenant, route }))),
    ];
  }

  /** The commands that sessions of single tenants have besides. */
  tenantCommands(): { tenant: TenantId; command: HumanCommand }[] {
    return [...this.#tenants].flatMap(([tenant, { commands }]) =>
      [...commands.values()].map((command) => ({ tenant, command })),
    );
  }

  /** The optional sets of tools a session may choose from. */
  toolsets(place: RegistryPlace): ReadonlySet<string> {
    return new Set(toolsetsOf(this.#layersOf(place)));
  }

  /** The version a session's view has; a caller that planned with another one must assemble again. */
  version(place: RegistryPlace): string {
    return this.#derivedFor(place).version;
  }

  /** Drops a session's own registrations. */
  dispose(session: SessionId): void {
    const layer = this.#scopes.get(session);
    this.#scopes.delete(session);
    if (layer) this.#derived.delete(layer);
  }

  #derivedFor(place: RegistryPlace): Derived {
    const scoped = this.#scopeOf(place.session);
    const known = this.#derived.get(scoped) ?? new Map<RegistryLayer | undefined, Derived>();
    this.#derived.set(scoped, known);
    const tenant = this.#tenants.get(place.tenant);
    const derived = known.get(tenant) ?? { version: registryVersion(this.#layersOf(place)), views: new Map() };
    known.set(tenant, derived);
    return derived;
  }

  #scopeOf(session: SessionId): RegistryLayer | undefined {
    return this.#setups.length > 0 ? this.scope(session) : this.#scopes.get(session);
  }

  #sharedBy({ tenant }: RegistryPlace): RegistryLayer[] {
    const own = this.#tenants.get(tenant);
    return own ? [this.global, own] : [this.global];
  }

  #layersOf(place: RegistryPlace): RegistryLayer[] {
    const scoped = this.#scopeOf(place.session);
    return [...this.#sharedBy(place), ...(scoped ? [scoped] : [])];
  }

  #forgetViews(): void {
    this.#keptViews = 1;
    for (const byTenant of this.#derived.values()) for (const { views } of byTenant.values()) views.clear();
  }

  #forgetScopes(): void {
    this.#scopes.clear();
    this.#derived.clear();
  }
}
