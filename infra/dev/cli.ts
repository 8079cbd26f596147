/** The command line against the stack of this checkout: `npm run everturn -- …`. */
import { existsSync, readFileSync } from 'node:fs';
import { runCli } from './stack/run-cli.ts';
import { stackPaths } from './stack/paths.ts';
import { baseEnvironment } from './stack/start-stack.ts';
import { readState } from './stack/state-file.ts';

// Variables the user sets win over the running stack: the same command then speaks to another installation.
const paths = stackPaths();
const kept = existsSync(paths.apiKey) ? { EVERTURN_API_KEY: readFileSync(paths.apiKey, 'utf8').trim() } : {};
const environment = { ...kept, ...readState(paths.state)?.environment, ...baseEnvironment(paths, process.env) };
process.exitCode = await runCli(process.argv.slice(2), environment);
