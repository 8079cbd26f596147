/** A live thing that a session keeps from one call to the next: a terminal, a language server, a browser. */
export interface SessionResource {
  /** Ends it and all it started; resolves when that is gone. Called once. */
  dispose(): Promise<void>;
}

/**
 * The live things of one session in this worker process, by key (`pty/pty-1`); all things of one prefix are of one
 * type, which those who open them know. They end with the session, with this process, and with {@link close}.
 * Nothing here survives a restart: tools that need what an earlier call left declare `state: 'process'`.
 */
export interface SessionResources {
  /**
   * The thing of that key, made if there is none; callers at the same time get the same one. A creation that fails
   * leaves nothing; its signal is raised when the session ends meanwhile. Throws `OWNER_NOT_LIVE` then, and
   * `SERVICE_DISPOSING` once the process stops.
   */
  open<R extends SessionResource>(key: string, create: (signal: AbortSignal) => Promise<R>): Promise<R>;
  /** The thing of that key once it is made. */
  find(key: string): SessionResource | undefined;
  /** Whether the key is taken, by something made or still in the making. */
  has(key: string): boolean;
  /** Every thing made whose key begins so, in the order they were asked for. */
  entries(prefix: string): readonly (readonly [key: string, resource: SessionResource])[];
  /** The next number of that name, from 1; none is given twice to a session on this machine, restarts or not. */
  next(name: string): number;
  /** The last number of that name, by whichever process; 0 = none. */
  given(name: string): number;
  /** Ends the thing of that key, if there is one; callers at the same time wait for the same end. */
  close(key: string): Promise<void>;
}
