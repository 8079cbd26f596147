import { textOf, type CallId, type SessionEvent, type SessionEventOf, type Todo } from '@everturn/core/domain';
import { duration } from '../terminal/format.ts';
import { inert, inertLine } from '../terminal/inert.ts';
import type { Screen } from '../terminal/screen.ts';
import { describeEnd, describeFailure } from './describe-end.ts';
import { callResult, callTitle, type CallTitle } from './present-call.ts';
import { StreamText } from './stream-text.ts';

interface OpenCall extends CallTitle {
  name: string;
  arguments: string;
  startedAt: number;
}

/** Shows a session's events as they happen. Everything it writes of them is inert. */
export class RunView {
  readonly #screen: Screen;
  readonly #workspace: string | undefined;
  readonly #calls = new Map<string, OpenCall>();
  #answer: StreamText;
  #model = '';
  #todos = '';

  constructor({ screen, workspace }: { screen: Screen; workspace?: string | undefined }) {
    this.#screen = screen;
    this.#workspace = workspace;
    this.#answer = new StreamText(screen);
  }

  /** Shows one event; types this program does not know are passed over. */
  show(event: SessionEvent): void {
    switch (event.type) {
      case 'turn/start':
        return this.#screen.waitFor('the turn begins');
      case 'step/start':
        this.#answer = new StreamText(this.#screen);
        return this.#screen.waitFor('the model');
      case 'request/header':
        return this.#showModel(event.data);
      case 'assistant/chunk':
        return this.#answer.push(event.data.chunk);
      case 'assistant/message':
        return this.#showMessage(event.data);
      case 'tool/call':
        return this.#showCall(event);
      case 'tool/result':
        return this.#showResult(event);
      case 'todo/write':
        this.#todos = todoLine(event.data.todos);
        return;
      case 'step/end':
        this.#answer.end();
        return this.#screen.waitFor('the turn goes on');
      case 'turn/end':
        return this.#showEnd(event.data);
      default:
        return this.#showNotice(event);
    }
  }

  /** Says that the stream broke off; it goes on by itself. */
  reconnecting(): void {
    this.#screen.waitFor('the connection to the API broke off: trying again');
  }

  #showModel({ header: { config } }: SessionEventOf<'request/header'>['data']): void {
    const model = inertLine(`${config.model} by ${config.provider}`, 120);
    if (model === this.#model) return;
    this.#model = model;
    const { dim, yellow } = this.#screen.style;
    this.#screen.line(dim(`  model   ${model}`));
    if (config.provider === 'scripted') {
      this.#screen.line(
        yellow('          no AI: a local HTTP server that answers from a script; tools, files and tests are real'),
      );
    }
  }

  /** A log without chunks, or one whose chunks could not be brought back, still has its messages. */
  #showMessage({ content }: SessionEventOf<'assistant/message'>['data']): void {
    this.#answer.end();
    const said = textOf(content);
    if (this.#answer.shown > 0 || said.trim() === '') return;
    this.#screen.gap();
    this.#screen.line(inert(said.trim()));
  }

  #showCall({ data, time }: SessionEventOf<'tool/call'>): void {
    this.#answer.end();
    const title = callTitle({ ...data, workspace: this.#workspace });
    this.#calls.set(keyOf(data), { ...title, name: data.name, arguments: data.arguments, startedAt: time });
    this.#screen.line(this.#screen.style.dim(`  ▸ ${title.tool}  ${title.title}`));
    this.#waitForCalls();
  }

  #showResult({ data, time }: SessionEventOf<'tool/result'>): void {
    this.#answer.end();
    const call = this.#calls.get(keyOf(data));
    this.#calls.delete(keyOf(data));
    const known = call ?? { tool: 'tool', title: inertLine(data.callId, 40), name: '', arguments: '', startedAt: time };
    const result = callResult({ ...known, workspace: this.#workspace }, data);
    const { dim, green, red, yellow } = this.#screen.style;
    const mark = { done: green('✓'), worked: yellow('!'), failed: red('✗') }[result.state];
    const summary =
      known.name === 'todo_write' && result.state === 'done' && this.#todos ? this.#todos : result.summary;
    const took = dim(duration(Math.max(0, time - known.startedAt)));
    this.#screen.line(`  ${mark} ${known.tool}  ${known.title}  ${dim('→')} ${summary}  ${took}`);
    this.#waitForCalls();
  }

  #waitForCalls(): void {
    const running = [...this.#calls.values()].map(({ tool, title }) => `${tool} ${title}`);
    if (running.length === 0) this.#screen.waitFor('the next step');
    else
      this.#screen.waitFor(
        inertLine(`${running.length === 1 ? '' : `${running.length} calls run: `}${running.join('; ')}`, 90),
      );
  }

  #showEnd({ reason }: SessionEventOf<'turn/end'>['data']): void {
    this.#answer.end();
    this.#calls.clear();
    this.#screen.waitFor(undefined);
    const { red, yellow } = this.#screen.style;
    if (reason.kind !== 'completed')
      this.#screen.line((reason.kind === 'error' ? red : yellow)(`  ✗ ${describeEnd(reason)}`));
  }

  #showNotice(event: SessionEvent): void {
    const { yellow, dim } = this.#screen.style;
    switch (event.type) {
      case 'llm/retry': {
        const { retry, maxRetries, delayMs, failure } = event.data;
        this.#screen.line(yellow(`  ↻ ${describeFailure(failure)}`));
        this.#screen.line(yellow(`    retry ${retry} of ${maxRetries} in ${duration(delayMs)}`));
        return this.#screen.waitFor(`the wait before retry ${retry}`);
      }
      case 'steering/message':
        return this.#screen.line(dim(`  › steered: ${inertLine(textOf(event.data.content), 200)}`));
      case 'context/message':
        return this.#screen.line(dim(`  › context: ${inertLine(textOf(event.data.content), 120)}`));
      case 'prompt/blocked':
        return this.#screen.line(yellow(`  ✗ prompt blocked: ${inertLine(event.data.reason, 300)}`));
      case 'approval/asked':
        return this.#screen.waitFor(
          `an approval of ${inertLine(event.data.toolName, 40)} (${inertLine(event.data.id, 60)})`,
        );
      default:
        return;
    }
  }
}

/** Call ids are unique within their step only. */
const keyOf = ({ turn, step, callId }: { turn: number; step: number; callId: CallId }): string =>
  `${turn}/${step}/${callId}`;

function todoLine(todos: readonly Todo[]): string {
  const done = todos.filter(({ status }) => status === 'completed').length;
  const current = todos.find(({ status }) => status === 'in_progress');
  return `${done} of ${todos.length} done${current ? `, now: ${inertLine(current.content, 80)}` : ''}`;
}
