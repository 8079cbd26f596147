/** What a worker asks of its terminal host; `id` names one terminal. */
export type ToHost =
  | {
      kind: 'open';
      id: number;
      argv: readonly string[];
      cwd: string;
      environment: Readonly<Record<string, string>>;
      columns: number;
      rows: number;
    }
  | { kind: 'write'; id: number; write: number; text: string }
  /** What was written and is not taken yet is dropped, and its writers are told nothing. */
  | { kind: 'drop'; id: number }
  /** That much of what came was taken; a terminal nobody listens to is not read on. */
  | { kind: 'taken'; id: number; characters: number }
  /** Hangs up. */
  | { kind: 'close'; id: number };

/** What the host tells. */
export type FromHost =
  | { kind: 'opened'; id: number; pid: number }
  | { kind: 'failed'; id: number; message: string }
  | { kind: 'text'; id: number; text: string }
  | { kind: 'written'; id: number; write: number }
  /** `signal` is a number; 0 or absent where there was none. */
  | { kind: 'exit'; id: number; code: number; signal?: number };
