import { characterHead, type LspAnswer, type LspLocation } from '../kit/index.ts';

const MAX_LOCATIONS = 100;
const MAX_CHARACTERS = 16_000;

/** What the model reads of an answer. `workspace` is absolute and real. */
export function formatAnswer(answer: LspAnswer, workspace: string): string {
  return bounded(
    answer.kind === 'hover' ? (answer.text ?? 'No hover information.') : places(answer.locations, workspace),
  );
}

function places(locations: readonly LspLocation[], workspace: string): string {
  if (locations.length === 0) return 'No results.';
  const lines = [...Map.groupBy(locations, ({ uri }) => uri)].flatMap(([uri, inFile]) => {
    const path = shownPath(uri, workspace);
    return inFile.map(({ line, character }) => `${path}:${line + 1}:${character + 1}`);
  });
  const omitted = lines.length - MAX_LOCATIONS;
  if (omitted <= 0) return lines.join('\n');
  return [...lines.slice(0, MAX_LOCATIONS), `… ${omitted} more location(s) omitted (limit ${MAX_LOCATIONS}).`].join(
    '\n',
  );
}

/** Relative inside the workspace, absolute outside, and as it came where it names no file. */
function shownPath(uri: string, workspace: string): string {
  const path = filePath(uri);
  if (path === undefined) return uri;
  if (path === workspace) return '.';
  return path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
}

/** Done by hand, because this also runs where Node's own helpers are not. */
function filePath(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (url?.protocol !== 'file:' || url.host !== '' || url.search !== '') return undefined;
  try {
    const path = decodeURIComponent(url.pathname);
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}

function bounded(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const notice = `\n… truncated (limit ${MAX_CHARACTERS} characters).`;
  return characterHead(text, MAX_CHARACTERS - notice.length) + notice;
}
