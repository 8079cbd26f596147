import type { RegistryPlace } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** The same, with the models that plugins bring to a session beside those of the deployment. */
export function withPluginModels<D extends Pick<ActivityDeps, 'llm' | 'registry'>>(deps: D, place: RegistryPlace): D {
  const routes = deps.registry.routes(place);
  return routes.length === 0 ? deps : { ...deps, llm: deps.llm.with(routes) };
}
