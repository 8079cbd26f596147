import { randomUUID } from 'node:crypto';
import { text } from '@everturn/core/domain';
import { implementTool, pwshDialect, runInShell } from '../kit/index.ts';
import { persistentPwsh } from './schema.ts';

/** A command in the session's kept PowerShell. */
export const executePersistentPwsh = implementTool(persistentPwsh, async ({ command }, context) => {
  const nonce = randomUUID().replaceAll('-', '');
  return { content: [text(await runInShell(context, { dialect: pwshDialect, command, nonce }))] };
});
