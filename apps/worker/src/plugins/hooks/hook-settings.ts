/** What a deployment says of its external hooks; read elsewhere, so only its shape is known here. */
export interface HookSettings {
  commands: readonly {
    dialect: 'claude' | 'codex';
    event: string;
    position: string;
    matcher?: string;
    command: string;
    timeoutMs: number;
  }[];
  http: readonly {
    position: string;
    url: string;
    secret: { reveal(): string };
    events: readonly string[];
    matcher?: string;
    timeoutMs: number;
    onFailure: 'fail' | 'continue';
  }[];
  /** Absolute; commands find it as `CLAUDE_PLUGIN_ROOT`. */
  pluginRoot: string;
  /** Entries of kinds that are not run. */
  skipped: readonly string[];
  digest: string;
}
