import type { z } from 'zod';
import type { databaseFields, processFields, temporalFields } from './schema.ts';
import type { Secret } from './secret.ts';
import { titleSettings, type TitleSettings } from './title-settings.ts';
import { temporalTlsFiles, type TemporalTlsFiles } from './temporal-tls.ts';

/** Where the log is kept. */
export interface DatabaseConfig {
  url: Secret;
  /** The server itself, where `url` leads through a pooler that loses notifications. */
  directUrl?: Secret;
}

/** Where workflows run; `taskQueue` is the prefix of all queues. */
export interface TemporalConfig {
  address: string;
  namespace: string;
  apiKey?: Secret;
  tls: 'on' | 'off';
  tlsFiles?: TemporalTlsFiles;
  taskQueue: string;
  deployment?: string;
  uiUrl?: string;
}

/** What every process of the product knows. */
export interface ProcessConfig {
  dataDir: string;
  hostId?: string;
  /** Absolute folders a workspace may lie in; empty = only the data folder's own `workspaces`. */
  workspaceRoots: string[];
  /** What tools may do in sessions that do not say. */
  permissionMode: 'read-only' | 'workspace-write' | 'danger-full-access';
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  shutdownGraceMs: number;
  /** How much of a project's instructions for agents requests begin with at most, where the tenant does not say; 0 = none. */
  instructionsBytes: number;
  /** When a model is asked for titles of sessions, and which, where the tenant does not say. */
  titles: TitleSettings;
}

type Output<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** The database's part of the environment. */
export function databaseConfig(env: Output<typeof databaseFields>): DatabaseConfig {
  return { url: env.DATABASE_URL, ...(env.DATABASE_DIRECT_URL && { directUrl: env.DATABASE_DIRECT_URL }) };
}

/** Temporal's part of the environment; an API key and certificates imply TLS unless it is said to be off. */
export function temporalConfig(env: Output<typeof temporalFields>): TemporalConfig {
  const tlsFiles = temporalTlsFiles(env);
  return {
    address: env.TEMPORAL_ADDRESS,
    namespace: env.TEMPORAL_NAMESPACE,
    ...(env.TEMPORAL_API_KEY && { apiKey: env.TEMPORAL_API_KEY }),
    tls: env.TEMPORAL_TLS ?? (env.TEMPORAL_API_KEY || tlsFiles ? 'on' : 'off'),
    ...(tlsFiles && { tlsFiles }),
    taskQueue: env.EVERTURN_TASK_QUEUE,
    ...(env.EVERTURN_DEPLOYMENT && { deployment: env.EVERTURN_DEPLOYMENT }),
    ...(env.EVERTURN_UI_URL && { uiUrl: env.EVERTURN_UI_URL }),
  };
}

/** The part of the environment that all processes share. */
export function processConfig(env: Output<typeof processFields>): ProcessConfig {
  return {
    dataDir: env.EVERTURN_DATA_DIR,
    ...(env.EVERTURN_HOST_ID && { hostId: env.EVERTURN_HOST_ID }),
    workspaceRoots: env.EVERTURN_WORKSPACE_ROOTS ?? [],
    permissionMode: env.EVERTURN_PERMISSION_MODE,
    logLevel: env.EVERTURN_LOG_LEVEL,
    shutdownGraceMs: env.EVERTURN_SHUTDOWN_GRACE_MS,
    instructionsBytes: env.EVERTURN_INSTRUCTIONS_BYTES,
    titles: titleSettings(env),
  };
}
