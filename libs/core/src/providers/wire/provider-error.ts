/** What a provider says went wrong, out of the many shapes it is said in. */
export interface ProviderError {
  message: string;
  code?: string;
  type?: string;
  /** An HTTP status given inside a body. */
  status?: number;
}

/** The error inside a body or frame, or `undefined` when it holds none. */
export function errorIn(body: unknown): ProviderError | undefined {
  const record = asRecord(Array.isArray(body) ? body[0] : body);
  if (!record) return undefined;
  if (record.error) return describe(record.error);
  return record.object === 'error' || record.type === 'error' ? describe(record) : undefined;
}

/** The error of a body that is known to be one: whatever looks most like its message. */
export function errorOf(body: unknown): ProviderError {
  return errorIn(body) ?? describe(Array.isArray(body) ? body[0] : body);
}

function describe(error: unknown): ProviderError {
  const record = asRecord(error);
  if (!record) return { message: String(error) };
  const code = record.code ?? record.status;
  const status = Number(record.code ?? record.status ?? record.status_code);
  const message = firstText(record.message, record.msg, record.detail, record.error, record.title);
  return {
    message: message ?? JSON.stringify(error),
    ...(typeof code === 'string' && code && { code }),
    ...(typeof record.type === 'string' && record.type && record.type !== 'error' && { type: record.type }),
    ...(Number.isInteger(status) && status >= 400 && status <= 599 && { status }),
  };
}

function firstText(...candidates: unknown[]): string | undefined {
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
