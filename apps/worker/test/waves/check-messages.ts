import type { SessionEvent } from '@everturn/core/domain';
import { expect } from 'vitest';
import type { Accepted } from './drive-session.ts';

/** Every accepted message is in the log once, or was dropped by a cancel that was accepted after it. */
export function checkMessages(events: readonly SessionEvent[], accepted: readonly Accepted[]): void {
  const logged = events.flatMap(textOf);
  const lastCancel = accepted.findLastIndex(({ kind }) => kind === 'cancel');
  const wrong = accepted.flatMap((message, index) => {
    if (!('content' in message)) return [];
    const times = logged.filter((text) => text === message.content).length;
    const mayBeDropped = message.kind !== 'inject' && index < lastCancel;
    return times === 1 || (times === 0 && mayBeDropped) ? [] : [`${message.content}: ${times} times`];
  });
  expect(wrong).toEqual([]);
  const sent = accepted.flatMap((message) => (message.kind === 'prompt' ? [message.content] : []));
  expect(logged.filter((text) => sent.includes(text))).toEqual(sent.filter((text) => logged.includes(text)));
}

function textOf(event: SessionEvent): string[] {
  switch (event.type) {
    case 'user/message':
    case 'steering/message':
    case 'context/message':
      return [event.data.content.map((block) => (block.type === 'text' ? block.text : '')).join('')];
    default:
      return [];
  }
}
