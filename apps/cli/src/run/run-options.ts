/** What `run` can be told. */
export interface RunOptions {
  demo?: true;
  session?: string;
  workspace?: string;
  provider?: string;
  model?: string;
  json?: true;
}
