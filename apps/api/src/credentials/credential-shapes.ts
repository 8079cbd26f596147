import { z } from 'zod';

const ref = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'use the name of a variable: letters, digits and _')
  .describe('named as the variable it stands for');

export const CredentialPath = z.strictObject({ ref });
export type CredentialPath = z.output<typeof CredentialPath>;

/** A key to keep. It is never shown again. */
export const CredentialBody = z.strictObject({
  value: z
    .string()
    .max(8_192, 'a key has at most 8,192 characters')
    .regex(/^[\x21-\x7e]+$/, 'a key consists of visible ASCII characters, at least one, and no spaces')
    .describe('never shown again'),
});
export type CredentialBody = z.output<typeof CredentialBody>;

/** Whether there is a key, and whose. */
export const CredentialView = z.strictObject({
  ref: z.string(),
  configured: z.boolean(),
  source: z.enum(['environment', 'stored']).optional().describe('environment: of the deployment, which goes first'),
  writable: z.boolean().describe('false while the deployment has one of its own'),
  updatedAt: z.int().optional().describe('epoch ms, of a stored one'),
});
export type CredentialView = z.output<typeof CredentialView>;

export const CredentialList = z.strictObject({ credentials: z.array(CredentialView) });
export type CredentialList = z.output<typeof CredentialList>;
