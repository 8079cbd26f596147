/** Injection token of the process's configuration (`ApiConfig`). */
export const CONFIG = Symbol('everturn.config');
/** Injection token of the process's `pino` logger. */
export const LOGGER = Symbol('everturn.logger');
/** Injection token of the Kysely database. */
export const DATABASE = Symbol('everturn.database');
/** Injection token of the Temporal `Client`. */
export const TEMPORAL = Symbol('everturn.temporal');
