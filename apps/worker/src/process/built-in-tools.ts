import type { WorkerConfig } from '@everturn/core/config';
import { bodies } from '@everturn/tools/activity';
import { catalog, toolKey, webSearchFor } from '@everturn/tools/catalog';
import { withoutBackground, type WebPort } from '@everturn/tools/kit';
import type { RegisteredTool } from '../plugins/index.ts';

/** The tools we ship, as a deployment offers them: those that are always there, or those that come and go. */
export function builtInTools(
  { web, jobs }: Pick<WorkerConfig, 'web' | 'jobs'>,
  { presence, searches }: { presence?: 'changing'; searches?: Pick<WebPort, 'announce'> } = {},
): RegisteredTool[] {
  return catalog.flatMap((listed) => {
    if (listed.presence !== presence) return [];
    if ((listed.name === 'web_fetch' && web.fetch === 'off') || (listed.name === 'web_search' && web.search === 'off'))
      return [];
    const known = listed.name === 'web_search' ? webSearchFor(web.searchMaxQueries, searches) : listed;
    const definition = jobs.background === 'off' ? withoutBackground(known) : known;
    const { execute, startJob } = bodies.get(toolKey(listed)) ?? {};
    return [{ definition, ...(execute && { execute }), ...(startJob && { startJob }) }];
  });
}
