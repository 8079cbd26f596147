import { searchedText, text, type SessionEvent, type SessionId } from '@everturn/core/domain';
import { implementTool } from '../kit/index.ts';
import { moment } from '../kit/session-query/session-texts.ts';
import { given, useSessions } from '../kit/session-query/use-sessions.ts';
import { sessionEventRead } from './schema.ts';

/** Reads an event as the log holds it, and what its neighbours say. */
export const executeSessionEventRead = implementTool(
  sessionEventRead,
  async ({ session_id, seq, before = 0, after = 0 }, context) => {
    const found = await useSessions(context, (sessions) =>
      sessions.read({ ...given({ session: session_id as SessionId | undefined }), seq, before, after }),
    );
    const lines = [
      `Target event seq ${seq}:`,
      '```json',
      JSON.stringify(found.target, null, 2),
      '```',
      ...(before > 0 ? ['Before:', ...neighbours(found.before)] : []),
      ...(after > 0 ? ['After:', ...neighbours(found.after)] : []),
    ];
    return { content: [text(lines.join('\n'))] };
  },
);

const neighbours = (events: readonly SessionEvent[]): string[] =>
  events.length === 0 ? ['- none'] : events.map(lineOf);

function lineOf(event: SessionEvent): string {
  const head = `- seq ${event.seq} | ${event.type} | ${moment(event.time)}`;
  const said = searchedText(event)?.trim();
  return said
    ? `${head}\n${said
        .split('\n')
        .map((line) => `  ${line}`)
        .join('\n')}`
    : `${head} | (no semantic text)`;
}
