import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** `enc.<which key>.<nonce, tag and what is hidden in base64>`. */
const SEALED = /^enc\.([0-9a-f]{8})\.([A-Za-z0-9+/=]+)$/;

/**
 * Hides what is stored and must come back: AES-256-GCM under keys of the deployment. The first key seals, each of them
 * opens, so that a key is changed by putting a new one before it.
 */
export class SecretBox {
  readonly #keys: readonly { id: string; key: Buffer }[];

  /** Keys of 32 bytes in base64; none = nothing can be sealed or opened. */
  constructor(keys: readonly string[]) {
    this.#keys = keys.map((text) => {
      const key = Buffer.from(text, 'base64');
      return { key, id: createHash('sha256').update(key).digest('hex').slice(0, 8) };
    });
  }

  get canSeal(): boolean {
    return this.#keys.length > 0;
  }

  /** Whether a stored text is sealed, and with the key that seals now. */
  isCurrent(stored: string): boolean {
    return SEALED.exec(stored)?.[1] === this.#keys[0]?.id;
  }

  /** What to store; only as `place` it opens again. Throws without a key. */
  seal(text: string, place: string): string {
    const [current] = this.#keys;
    if (!current) throw new TypeError('a secret cannot be sealed without a key');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(Buffer.from(place));
    const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `enc.${current.id}.${Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64')}`;
  }

  /** What was sealed; `undefined` where no key opens it, or it was altered or put elsewhere. What never was sealed is itself. */
  open(stored: string, place: string): string | undefined {
    const [, id, text = ''] = SEALED.exec(stored) ?? [];
    if (id === undefined) return stored;
    const known = this.#keys.find((key) => key.id === id);
    if (!known) return undefined;
    const bytes = Buffer.from(text, 'base64');
    const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
    try {
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv(CIPHER, known.key, nonce, options).setAAD(Buffer.from(place)).setAuthTag(tag);
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}
