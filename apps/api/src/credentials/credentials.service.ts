import { Inject, Injectable } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import {
  deleteCredential,
  hostDetails,
  listCredentials,
  listLiveHosts,
  SecretBox,
  writeCredential,
  type CredentialKey,
  type Database,
  type StoredCredential,
} from '@everturn/core/postgres';
import type { TenantId } from '@everturn/core/domain';
import { ApiError } from '../platform/errors/api-error.ts';
import { Announcer } from '../platform/follow/announcer.ts';
import { CONFIG, DATABASE } from '../platform/tokens.ts';
import type { CredentialList, CredentialView } from './credential-shapes.ts';

const NO_KEY =
  'this deployment can keep no secret: set EVERTURN_SECRETS_KEY to 32 random bytes in base64 for its workers and its API';
const MOST_CREDENTIALS = 100;

/** Keys of providers that a tenant keeps here: written, described, forgotten, never shown. */
@Injectable()
export class CredentialsService {
  private readonly secrets: SecretBox;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) { secretsKeys }: ApiConfig,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {
    this.secrets = new SecretBox(secretsKeys.map((key) => key.reveal()));
  }

  /** What is stored, and what the routes of live workers ask for. */
  async list(tenant: TenantId): Promise<CredentialList> {
    const [stored, asked] = await Promise.all([this.#stored(tenant), this.#asked()]);
    const refs = [...new Set([...asked.keys(), ...stored.keys()])].toSorted();
    return { credentials: refs.map((ref) => view(ref, stored.get(ref), asked.get(ref))) };
  }

  async describe({ tenant, ref }: CredentialKey): Promise<CredentialView> {
    const [stored, asked] = await Promise.all([this.#stored(tenant), this.#asked()]);
    return view(ref, stored.get(ref), asked.get(ref));
  }

  async write(key: CredentialKey, value: string): Promise<CredentialView> {
    if (!this.secrets.canSeal) throw new ApiError({ code: 'SECRETS_KEY_MISSING', message: NO_KEY });
    const [stored, asked] = await Promise.all([this.#stored(key.tenant), this.#asked()]);
    if (asked.get(key.ref) === 'environment') throw fromEnvironment(key.ref);
    if (stored.size >= MOST_CREDENTIALS && !stored.has(key.ref))
      throw new ApiError({ code: 'CREDENTIAL_REJECTED', message: `a tenant keeps at most ${MOST_CREDENTIALS} keys` });
    await writeCredential(this.database, { ...key, value, secrets: this.secrets });
    this.announcer.announceTenant(key.tenant);
    return this.describe(key);
  }

  /** A key that is only the deployment's cannot be taken from it here. */
  async forget(key: CredentialKey): Promise<void> {
    if (await deleteCredential(this.database, key)) return this.announcer.announceTenant(key.tenant);
    if ((await this.#asked()).get(key.ref) === 'environment') throw fromEnvironment(key.ref);
    throw new ApiError({ code: 'CREDENTIAL_NOT_FOUND', message: `no key is stored under "${key.ref}"` });
  }

  async #stored(tenant: TenantId): Promise<Map<string, StoredCredential>> {
    return new Map((await listCredentials(this.database, { tenant })).map((one) => [one.ref, one]));
  }

  /** Where live workers take the keys of their routes from. */
  async #asked(): Promise<Map<string, 'environment' | 'stored'>> {
    const providers = (await listLiveHosts(this.database)).flatMap((host) => hostDetails(host).providers);
    const asked = providers.flatMap(({ credential }) => (credential ? [credential] : []));
    const own = asked.filter(({ source }) => source === 'environment');
    return new Map([...asked, ...own].map(({ ref, source }) => [ref, source]));
  }
}

function view(
  ref: string,
  stored: StoredCredential | undefined,
  asked: 'environment' | 'stored' | undefined,
): CredentialView {
  const own = asked === 'environment';
  return {
    ref,
    configured: own || stored !== undefined,
    ...(own ? { source: 'environment' as const } : stored && { source: 'stored' as const }),
    writable: !own,
    ...(stored && { updatedAt: stored.updatedAt.getTime() }),
  };
}

function fromEnvironment(ref: string): ApiError {
  const message = `"${ref}" is set in the environment of the deployment, which goes first; it can only be changed there`;
  return new ApiError({ code: 'CREDENTIAL_REJECTED', message });
}
