/** What a foreign program needs to find itself, its libraries, its user and its language. */
const needed = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|XDG_.*|LD_LIBRARY_PATH|DYLD_.*|SSL_CERT_.*)$/;

/** The environment for servers that are not ours: they get no keys, which whoever runs them could read from /proc. */
export function serverEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => needed.test(name)));
}
