import pc from 'picocolors';

/** What a user needs to know once everything runs. */
export function banner(environment: Readonly<Record<string, string>>): string {
  const url = environment['EVERTURN_API_URL'];
  const key = environment['EVERTURN_API_KEY'];
  const rows: [string, string | undefined][] = [
    ['API', url],
    ['API key', key],
    ['Temporal UI', environment['EVERTURN_UI_URL']],
    ['Temporal', environment['TEMPORAL_ADDRESS']],
    ['Data', environment['EVERTURN_DATA_DIR']],
  ];
  const shown = rows
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${pc.bold(name.padEnd(12))} ${value}`);
  const unconfined = environment['EVERTURN_PERMISSION_MODE'] === 'danger-full-access';
  const sandbox =
    url && unconfined
      ? [pc.yellow('  Tools run unconfined (danger-full-access); the API listens on loopback only.')]
      : [];
  return ['', ...shown, ...sandbox, ''].join('\n');
}
