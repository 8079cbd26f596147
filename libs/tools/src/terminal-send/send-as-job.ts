import { errorResult, resultText, terminalState, utf8Tail } from '../kit/index.ts';
import type { JobEnd, RunningJob, SendInput, Terminal } from '../kit/index.ts';

export interface SendAsJobInput {
  terminal: Terminal;
  input: Omit<SendInput, 'signal'>;
  /** Of what was printed and not read yet, this much is kept; the terminal's own lines hold more. */
  keptBytes: number;
}

/** A send that is waited for by a job: what is printed meanwhile is its output, and to cancel it interrupts. */
export function sendAsJob({ terminal, input, keptBytes }: SendAsJobInput): RunningJob {
  const stop = new AbortController();
  const unread = { text: '', failure: '', lost: false };
  const stopListening = terminal.onText((printed) => {
    const all = unread.text + printed;
    unread.text = utf8Tail(all, keptBytes);
    unread.lost ||= unread.text.length < all.length;
  });
  const sent = terminal.send({ ...input, signal: stop.signal });
  const outcome = sent
    .then(
      ({ reason }): JobEnd => ({
        state: 'completed',
        detail:
          reason === 'session_exit' ? `session ${terminalState(terminal.exit).replace(' ', ': ')}` : `wait: ${reason}`,
      }),
      (error: unknown): JobEnd => {
        if (stop.signal.aborted) return { state: 'killed' };
        unread.failure = resultText(errorResult(error));
        return { state: 'failed' };
      },
    )
    .finally(stopListening);
  return {
    read() {
      const { text, failure, lost } = unread;
      Object.assign(unread, { text: '', failure: '', lost: false });
      return { text, ...(failure !== '' && { stderr: failure }), ...(lost && { dropped: { files: [] } }) };
    },
    outcome,
    cancel: () => stop.abort(),
  };
}
