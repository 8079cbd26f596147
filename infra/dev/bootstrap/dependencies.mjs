import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Runs `npm ci` when node_modules is absent, was left half-done, or is not what package-lock.json says. */
export async function ensureDependencies(root) {
  if (areInstalled(root)) return;
  const total = packagesForThisMachine(root);
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.log('everturn: installing dependencies (npm ci)');
  const ticker = setInterval(
    () => console.log(`  … ${seconds()} s, ${countPackages(root)} of about ${total} packages`),
    3000,
  );
  const { code, said } = await npm(['ci', '--no-progress', '--no-audit', '--no-fund', '--loglevel=error'], root);
  clearInterval(ticker);
  if (code !== 0) {
    throw new Error(`npm ci failed (${code}):\n${firstLines(said)}\n  → ${remedyFor(said)}, then run this again`);
  }
  console.log(`  done in ${seconds()} s`);
}

/** Whether node_modules holds what package-lock.json asks for. */
export function areInstalled(root) {
  const wanted = join(root, 'package-lock.json');
  // npm writes this file last, so a killed install has none.
  const present = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(present)) return false;
  if (statSync(present).mtimeMs >= statSync(wanted).mtimeMs) return true;
  // A checkout or a copy touches the lockfile without changing it: only the contents can tell.
  const installed = readLock(present);
  return Object.entries(readLock(wanted)).every(([path, { version, optional, link }]) => {
    if (!path.startsWith('node_modules/') || link) return true;
    return installed[path] === undefined ? optional === true : installed[path].version === version;
  });
}

// npm adds its whole manual to a short complaint.
function firstLines(said) {
  return said.trim().split('\n').slice(0, 12).join('\n');
}

function remedyFor(said) {
  if (said.includes('EUSAGE')) return 'package-lock.json does not fit package.json: run `npm install`';
  if (/ENOSPC|EACCES|EPERM/.test(said)) return 'make room or mend the permissions of node_modules';
  return 'check the connection to your npm registry';
}

function readLock(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}

function packagesForThisMachine(root) {
  const fits = (list, own) => list === undefined || list.includes(own);
  const locked = Object.entries(readLock(join(root, 'package-lock.json')));
  // Nested copies are left out here and below.
  const top = locked.filter(([path]) => path.lastIndexOf('node_modules/') === 0);
  return top.filter(([, { os, cpu }]) => fits(os, process.platform) && fits(cpu, process.arch)).length;
}

// npm makes all folders first and fills them then.
function countPackages(root) {
  const folder = join(root, 'node_modules');
  const paths = namesIn(folder).flatMap((name) =>
    name.startsWith('@') ? namesIn(join(folder, name)).map((inner) => join(name, inner)) : [name],
  );
  return paths.filter((path) => existsSync(join(folder, path, 'package.json'))).length;
}

// npm moves folders about while we look.
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function npm(args, cwd) {
  // Under `npm run`, the very npm that runs us; else the one on PATH.
  const cli = process.env.npm_execpath;
  const [command, ...rest] = cli?.endsWith('.js') ? [process.execPath, cli, ...args] : ['npm', ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.once('error', reject).once('close', (code) => resolve({ code, said }));
  });
}
