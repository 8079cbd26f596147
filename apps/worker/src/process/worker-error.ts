/** Why a worker cannot run; closed. */
export type WorkerErrorCode = 'WORKER_HOST_HELD' | 'WORKER_HOST_LOST' | 'WORKER_MCP_FAILED';

/** The one error of this room; `message` says what to do. */
export class WorkerError extends Error {
  readonly code: WorkerErrorCode;

  constructor(code: WorkerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkerError';
    this.code = code;
  }
}
