/** The language a file's name announces, for highlighting; names without an extension and odd ones have none. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? LANGUAGES[name.slice(dot + 1).toLowerCase()] : undefined;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'ts tsx js jsx json py rb go rs java kt swift c h cpp hpp cs php sh sql html css scss yaml toml xml md lua r dart'
      .split(' ')
      .map((name) => [name, name]),
  ),
  mjs: 'js',
  cjs: 'js',
  mts: 'ts',
  cts: 'ts',
  yml: 'yaml',
  bash: 'sh',
  zsh: 'sh',
  htm: 'html',
  cc: 'cpp',
  markdown: 'md',
};
