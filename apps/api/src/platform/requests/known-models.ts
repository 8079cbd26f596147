import type { HostDetails } from '@everturn/core/postgres';
import { ApiError } from '../errors/api-error.ts';

type Provider = Pick<HostDetails['providers'][number], 'id' | 'models' | 'unlisted'>;

/** What somebody wants to be answered by. */
export interface ModelWish {
  provider?: string | undefined;
  model?: string | undefined;
}

/**
 * Refuses a provider that no live worker has, and a model that no provider in question lists or passes through.
 * Without a live worker nothing is known, and the session itself says later what it could not find.
 */
export function refuseUnknownModel({ provider, model }: ModelWish, known: readonly Provider[]): void {
  if (known.length === 0) return;
  const candidates = known.filter(({ id }) => provider === undefined || id === provider);
  if (candidates.length === 0) {
    throw refusal(
      'UNKNOWN_PROVIDER',
      'body.provider',
      `no worker has the provider "${provider}"`,
      known.map(({ id }) => id),
    );
  }
  if (model === undefined || candidates.some((candidate) => takes(candidate, model))) return;
  const models = candidates.flatMap((candidate) => candidate.models);
  throw refusal('UNKNOWN_MODEL', 'body.model', `no provider offers the model "${model}"`, models);
}

function takes({ models, unlisted }: Provider, model: string): boolean {
  return unlisted === 'passed-through' || models.includes(model);
}

function refusal(code: 'UNKNOWN_PROVIDER' | 'UNKNOWN_MODEL', field: string, what: string, known: string[]): ApiError {
  const message = `${what}; there are: ${[...new Set(known)].join(', ') || '(none)'}`;
  return new ApiError({ code, message: `${field}: ${message}`, issues: [{ field, message }] });
}
