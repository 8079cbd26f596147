import { MANAGED_PREFIX } from '../../kit/managed-environment.ts';

/**
 * What a command of the model may inherit. A list of what is allowed rather than of what is not: names do
 * not tell (`DATABASE_URL` holds a password), and tomorrow's secret has a name nobody thought of. Whatever
 * else commands need is named by the deployment (`allow`).
 */
const ALLOWED_NAMES = new Set(
  `PATH HOME USER LOGNAME SHELL PWD LANG LANGUAGE TZ TMPDIR TMP TEMP TERM COLORTERM HOSTNAME CI DISPLAY
  EDITOR VISUAL DEBIAN_FRONTEND LD_LIBRARY_PATH DYLD_LIBRARY_PATH PKG_CONFIG_PATH MANPATH INFOPATH
  HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY
  SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
  NVM_DIR NVM_BIN VOLTA_HOME PNPM_HOME COREPACK_HOME NPM_CONFIG_REGISTRY NPM_CONFIG_PREFIX NPM_CONFIG_CACHE
  JAVA_HOME ANDROID_HOME M2_HOME GRADLE_HOME GRADLE_USER_HOME
  GOPATH GOROOT GOBIN GOPROXY GOSUMDB GOFLAGS GOCACHE GOMODCACHE CARGO_HOME RUSTUP_HOME
  PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYTHONPATH PIP_INDEX_URL PIP_CACHE_DIR UV_INDEX_URL
  GEM_HOME GEM_PATH RBENV_ROOT BUNDLE_PATH DOTNET_ROOT CC CXX CFLAGS CXXFLAGS LDFLAGS MAKEFLAGS`.split(/\s+/),
);
const ALLOWED_PREFIXES = ['LC_', 'XDG_'];

/** Names that say themselves what they hold; these are dropped even when the deployment's list has them. */
const SECRET_NAME = /KEY|PASSWORD|SECRET|TOKEN/i;

/** A URL with a password or a lone token before its host, as in `postgres://user:pw@host` or a proxy's address. */
const URL_CREDENTIALS = /[a-z][a-z0-9+.-]*:\/\/[^/?#\s@]+@/i;

export type HostEnvironment = Readonly<Record<string, string | undefined>>;

export interface InheritedEnvironmentInput {
  host: HostEnvironment;
  /** More names to pass on, given by the deployment. */
  allow?: readonly string[];
  /** Values that must not appear inside any variable, such as the keys the worker itself uses. */
  secretValues?: readonly string[];
}

/** Whether a variable may stand in the environment of a process that runs, or is readable by, model-written code. */
export function isInheritable(name: string, allow: readonly string[] = []): boolean {
  const upper = name.toUpperCase();
  if (upper.startsWith(MANAGED_PREFIX) || SECRET_NAME.test(name)) return false;
  return (
    ALLOWED_NAMES.has(upper) || ALLOWED_PREFIXES.some((prefix) => upper.startsWith(prefix)) || allow.includes(name)
  );
}

/** The part of the host's environment that commands get. */
export function inheritedEnvironment(input: InheritedEnvironmentInput): Record<string, string> {
  const { host, allow = [], secretValues = [] } = input;
  const secrets = secretValues.filter((value) => value.length >= 6); // a shorter one would strike by chance
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined || !isInheritable(name, allow)) continue;
    if (URL_CREDENTIALS.test(value) || secrets.some((secret) => value.includes(secret))) continue;
    kept[name] = value;
  }
  return kept;
}

/** A child's environment: inherited, then explicit entries, of which `undefined` takes a name away. */
export function childEnvironment(
  inherited: Readonly<Record<string, string>>,
  explicit: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const merged: Record<string, string | undefined> = { ...inherited, ...explicit };
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
