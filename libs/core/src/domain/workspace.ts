import { z } from 'zod';

/** An absolute folder in its shortest form, so that what is checked is what is used. */
export const Workspace = z
  .string()
  .max(4_096)
  .regex(/^\/(?:[^/]+(?:\/[^/]+)*)?$/, 'must be an absolute path without empty parts or a last slash')
  .refine((path) => !path.split('/').some((part) => part === '.' || part === '..'), 'must not hold . or .. parts');
