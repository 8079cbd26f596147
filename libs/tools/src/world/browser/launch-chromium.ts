import { createHash } from 'node:crypto';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Conversation, ConverseInput } from '../processes/local-processes.ts';
import { TextTail } from '../mcp/text-tail.ts';

export interface LaunchChromiumInput {
  program: string;
  converse(input: ConverseInput): Promise<Conversation>;
  signal: AbortSignal;
  /** How long one attempt may take until the browser can be spoken to; default a minute. */
  attemptTimeoutMs?: number;
}

/** A browser's process and where it is spoken to. */
export interface Chromium {
  cdpUrl: string;
  exited: Conversation['exited'];
  /** Ends it and removes its profile. */
  end(): Promise<void>;
}

const LISTENING = /^DevTools listening on (ws:\/\/\S+)$/;
/** Read from a cold disk it takes most of a minute; what hangs while it starts rarely hangs twice. */
const ATTEMPT_TIMEOUT_MS = 60_000;
const ATTEMPTS = 2;
const GRACE_MS = 5_000;

/** Profiles are named after the worker they belong to. */
const PROFILE = 'everturn-browser-';

/** Removes the profiles of workers that were killed. */
async function removeLeftProfiles(): Promise<void> {
  const owned = (await readdir(tmpdir())).flatMap((name) => {
    const [, pid] = name.startsWith(PROFILE) ? (/-(\d+)-[^-]+$/.exec(name) ?? []) : [];
    return pid === undefined ? [] : [{ name, pid: Number(pid) }];
  });
  const left = owned.filter(({ pid }) => !isAlive(pid));
  await Promise.all(left.map(({ name }) => rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Starts a browser as a process of ours, with the environment of commands and a profile that goes with it. Stagehand
 * would start one with all of ours.
 */
export async function launchChromium(input: LaunchChromiumInput): Promise<Chromium> {
  await removeLeftProfiles();
  for (let attempt = 1; ; attempt += 1) {
    const limit = AbortSignal.timeout(input.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS);
    try {
      return await launch(input, limit);
    } catch (error) {
      if (!limit.aborted || input.signal.aborted || attempt === ATTEMPTS) throw error;
    }
  }
}

async function launch({ program, converse, signal }: LaunchChromiumInput, limit: AbortSignal): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), `${PROFILE}${process.pid}-`));
  // Helpers of a browser outlive it by a moment, and write.
  const removeProfile = () => rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  try {
    const argv = [program, ...(await flags(profile)), 'about:blank'];
    // Its own temporary files, too, so that they go with it however it ends.
    const environment = { HOME: profile, TMPDIR: profile };
    const conversation = await converse({ argv, cwd: profile, environment, signal });
    const { stdin, stdout, exited } = conversation;
    stdin.end();
    stdout.resume();
    const end = async () => {
      await conversation.end(GRACE_MS);
      await removeProfile();
    };
    try {
      return { cdpUrl: await address(conversation, AbortSignal.any([signal, limit])), exited, end };
    } catch (error) {
      await end();
      throw error;
    }
  } catch (error) {
    await removeProfile();
    throw error;
  }
}

async function flags(profile: string): Promise<string[]> {
  return [
    '--headless',
    '--remote-debugging-port=0',
    `--remote-allow-origins=chrome-extension://${await extensionId()}`,
    '--enable-unsafe-extension-debugging',
    `--user-data-dir=${profile}`,
    '--window-size=1280,800',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-sync',
    '--disable-dev-shm-usage', // containers give it 64 MB
    '--mute-audio',
    '--password-store=basic',
    '--use-mock-keychain',
    // Chromium's own sandbox refuses to run as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}

/** Chromium names an unpacked extension by where it lies; only that one may speak to the browser beside us. */
async function extensionId(): Promise<string> {
  const folder = await realpath(fileURLToPath(new URL('extension', import.meta.resolve('@browserbasehq/stagehand'))));
  const digits = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  return [...digits].map((digit) => String.fromCodePoint(97 + Number.parseInt(digit, 16))).join('');
}

async function address({ stderr, exited }: Conversation, limit: AbortSignal): Promise<string> {
  const said = new TextTail(2_000);
  stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const found = new Promise<string>((resolve) => {
    // Whole lines: what else it has to say may come in the same piece, or the address in two.
    createInterface({ input: stderr }).on('line', (line) => {
      const [, url] = LISTENING.exec(line.trim()) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error(`Chromium did not start in time; it said: ${said.toString() || 'nothing'}`));
    limit.addEventListener('abort', stop, { once: true });
  });
  const ended = exited.then(({ code }): never => {
    throw new Error(`Chromium ended with code ${code}: ${said.toString()}`);
  });
  ended.catch(() => undefined);
  return Promise.race([found, stopped, ended]);
}
