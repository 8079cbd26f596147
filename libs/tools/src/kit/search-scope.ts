/** Directories in which version control keeps its own files; never listed, wherever they are. */
export const VERSION_CONTROL_NAMES = ['.git', '.svn', '.hg', '.bzr', '.jj', '.sl'] as const;

/** Where ripgrep runs and what it is pointed at. */
export interface SearchScope {
  cwd: string;
  target: string;
  /** What found paths start with and displays leave out. */
  strip: string;
  /** The target as seen from `cwd`, when it lies below. */
  below: string | undefined;
}

/**
 * Ripgrep anchors a glob with a slash at the directory it runs in, and knows no anchor elsewhere; so it runs
 * in the session's directory for what lies inside, in the target itself for what lies outside.
 * Both paths absolute and without `.` and `..`.
 */
export function searchScope(sessionCwd: string, target: string, isDirectory: boolean): SearchScope {
  if (target === sessionCwd) return { cwd: sessionCwd, target: '.', strip: './', below: undefined };
  const prefix = sessionCwd === '/' ? '/' : `${sessionCwd}/`;
  if (target.startsWith(prefix)) {
    const below = target.slice(prefix.length);
    return { cwd: sessionCwd, target: `./${below}`, strip: './', below };
  }
  return { cwd: isDirectory ? target : sessionCwd, target, strip: '', below: undefined };
}

/**
 * The globs that stand for one glob of the model, any of which may match. Brackets are character classes to
 * ripgrep, but directories such as `app/[slug]` exist, so their literal reading counts too; and a glob with
 * a slash is taken from the session's directory as well as from the one that is searched.
 */
export function globVariants(glob: string, { below, cwd }: SearchScope): string[] {
  const variants = [glob];
  if (glob.startsWith(`${cwd}/`)) variants.push(glob.slice(cwd.length)); // absolute as people write it
  if (below !== undefined && glob.includes('/') && !/^(?:!|\/|\*\*\/)/.test(glob))
    variants.push(`/${escapeGlob(below)}/${glob.replace(/^\.\//, '')}`);
  if (glob.startsWith('./')) variants.push(glob.slice(1));
  if (/[[\]]/.test(glob)) variants.push(...variants.map(literalBrackets));
  return [...new Set(variants)];
}

const literalBrackets = (glob: string): string => glob.replaceAll(/[[\]]/g, (bracket) => `[${bracket}]`);

const escapeGlob = (path: string): string => path.replaceAll(/[[\]{}*?!\\]/g, (character) => `[${character}]`);
