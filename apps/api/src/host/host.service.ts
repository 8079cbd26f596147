import { Inject, Injectable } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import type { TenantId } from '@everturn/core/domain';
import {
  hostDetails,
  listLiveHosts,
  providersFor,
  type Database,
  type Host,
  type HostDetails,
} from '@everturn/core/postgres';
import { CONFIG, DATABASE } from '../platform/tokens.ts';
import { VERSION } from '../platform/version.ts';
import type { HostReport } from './host-report.ts';

/** Gathers what this process and the live workers say about themselves; names and settings, never keys. */
@Injectable()
export class HostService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: ApiConfig,
  ) {}

  async report(tenant: TenantId): Promise<HostReport> {
    const hosts = (await listLiveHosts(this.database)).map((host) => ({ host, details: hostDetails(host) }));
    const defaultRoute = hosts.find(({ details }) => details.defaultRoute)?.details.defaultRoute;
    return {
      mode: this.config.permissionMode,
      versions: { api: VERSION, node: process.versions.node },
      providers: providersOf(hosts.flatMap(({ details }) => providersFor(details, tenant))),
      ...(defaultRoute && { defaultRoute }),
      settings: this.#settings(),
      workers: hosts.map(({ host, details }) => worker(host, details)),
    };
  }

  #settings(): Record<string, unknown> {
    const { temporal, host, port, workspaceRoots, logLevel, shutdownGraceMs } = this.config;
    const { address, namespace, taskQueue, tls, deployment, uiUrl } = temporal;
    return {
      api: { host, port, logLevel, shutdownGraceMs },
      workspaceRoots,
      temporal: { address, namespace, taskQueue, tls, ...(deployment && { deployment }), ...(uiUrl && { uiUrl }) },
    };
  }
}

function worker(host: Host, details: HostDetails): HostReport['workers'][number] {
  const { version, node, mode, sandbox, tools, toolsets, mcp, settings } = details;
  return {
    id: host.id,
    seenMsAgo: Math.round(host.seenMsAgo),
    roots: host.roots,
    ...(version !== undefined && { version }),
    ...(node !== undefined && { node }),
    ...(mode !== undefined && { mode }),
    ...(sandbox && { sandbox }),
    tools,
    toolsets,
    mcp,
    settings,
  };
}

function providersOf(told: HostDetails['providers']): HostReport['providers'] {
  const byId = new Map(told.map(({ id, name, models }) => [id, { id, name, models }]));
  return [...byId.values()];
}
