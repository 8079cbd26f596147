import { randomUUID } from 'node:crypto';
import { text } from '@everturn/core/domain';
import { bashDialect, implementTool, runInShell } from '../kit/index.ts';
import { persistentBash } from './schema.ts';

/** A command in the session's kept bash. */
export const executePersistentBash = implementTool(persistentBash, async ({ command }, context) => {
  const nonce = randomUUID().replaceAll('-', '');
  return { content: [text(await runInShell(context, { dialect: bashDialect, command, nonce }))] };
});
