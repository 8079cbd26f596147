/** What `run` can be told. */
export interface RunOptions {
  demo?: true;
  session?: string;
  workspace?: string;
  provider?: string;
  model?: string;
  toolsets?: string;
  json?: true;
}
