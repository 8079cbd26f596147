/** The names of the packages that `apt-get --print-uris` would fetch: `'address' name_version_arch.deb size hash`. */
export const packagesOf = (printed: string): string[] =>
  printed.split('\n').flatMap((line) => {
    const [, name] = /^'[^']+' ([a-z0-9][a-z0-9+.-]*)_[^ ]+\.deb \d+ /.exec(line) ?? [];
    return name === undefined ? [] : [name];
  });
