import { Brackets } from './brackets.ts';
import { eventRule } from './event-registry.ts';
import { StepCalls } from './step-calls.ts';

/** Which turn and step are open. */
export interface OpenState {
  turn?: number;
  step?: number;
}

/** An event as far as enclosure is concerned. */
export interface EnclosedEvent {
  type: string;
  data: unknown;
  surfaceOp?: unknown;
  seq?: number;
}

export interface EnclosureInput {
  open?: OpenState;
  /** Number of the last turn begun; `undefined` = not known, then any number may come next. */
  lastTurn?: number;
  /** Number of the last step begun in the open turn. */
  lastStep?: number;
  /** Calls of the open step started by `tool/call` events this object does not see. */
  pendingCalls?: Iterable<string>;
}

interface Numbers {
  turn?: number;
  step?: number;
}

/**
 * The rules of where an event may stand: turns and steps never nest and are numbered without gaps, everything lies
 * in a turn, what belongs to a step lies in it, results answer calls, brackets pair. Used by the authors of events,
 * who see a part of the log, and by the checks of a whole log.
 */
export class Enclosure {
  #open: OpenState;
  #lastTurn: number | undefined;
  #lastStep: number | undefined;
  #calls: StepCalls;
  readonly #brackets = new Brackets();

  constructor({ open = {}, lastTurn, lastStep, pendingCalls }: EnclosureInput = {}) {
    this.#open = { ...open };
    this.#lastTurn = open.turn ?? lastTurn;
    this.#lastStep = open.step ?? lastStep;
    this.#calls = new StepCalls(pendingCalls);
  }

  get open(): OpenState {
    return { ...this.#open };
  }
  get lastTurn(): number | undefined {
    return this.#lastTurn;
  }
  get lastStep(): number | undefined {
    return this.#lastStep;
  }
  /** The calls of the open step. */
  get calls(): StepCalls {
    return this.#calls;
  }

  /** What forbids the event here, as text naming the numbers; `undefined` when it may stand. */
  check({ type, data, surfaceOp }: EnclosedEvent): string | undefined {
    const rule = eventRule(type);
    const numbers = data as Numbers;
    switch (type) {
      case 'turn/start':
        return this.#checkTurnStart(numbers);
      case 'turn/end':
        return this.#inTurn(numbers) ?? this.#noStep() ?? this.#bracketsClosed(data);
      case 'step/start':
        return this.#inTurn(numbers) ?? this.#noStep() ?? this.#checkStepNumber(numbers);
      case 'prompt/blocked':
        return this.#inTurn(numbers) ?? (this.#lastStep ? 'a prompt is blocked before the first step' : undefined);
      case 'llm/retry':
        return this.#inTurn(numbers) ?? this.#noStep() ?? this.#afterStep(numbers);
      case 'tool/result':
        // A pruned copy of an earlier result names that result's turn and step, not the open ones.
        if (surfaceOp !== 'append') return this.#inTurn({});
        return this.#inStep(numbers) ?? this.#calls.checkResult(data as { callId: string });
      default:
        return (
          (rule.enclosure === 'step' ? this.#inStep(numbers) : this.#inTurn(numbers)) ??
          (rule.pair && this.#brackets.check(rule.pair, data))
        );
    }
  }

  /** Follows an event that stands in the log, whether or not {@link check} liked it. */
  apply({ type, data, surfaceOp, seq = -1 }: EnclosedEvent): void {
    const { turn, step } = data as Numbers;
    const { pair } = eventRule(type);
    if (pair) this.#brackets.apply(pair, data);
    switch (type) {
      case 'turn/start':
        this.#open = turn === undefined ? {} : { turn };
        this.#lastTurn = turn;
        this.#lastStep = 0;
        this.#brackets.clear();
        break;
      case 'turn/end':
        this.#open = {};
        this.#brackets.clear();
        break;
      case 'step/start':
        this.#open = { ...this.#open, ...(step !== undefined && { step }) };
        this.#lastStep = step;
        this.#calls = new StepCalls();
        break;
      case 'step/end':
        delete this.#open.step;
        this.#calls = new StepCalls();
        break;
      case 'assistant/message':
        if (surfaceOp === 'append') this.#calls.request((data as { content: object }).content);
        break;
      case 'tool/call':
        this.#calls.start((data as { callId: string }).callId, seq);
        break;
      case 'tool/result':
        if (surfaceOp === 'append') this.#calls.answer((data as { callId: string }).callId);
        break;
    }
  }

  #checkTurnStart({ turn }: Numbers): string | undefined {
    if (this.#open.turn !== undefined) return `turn ${this.#open.turn} is still open`;
    if (this.#lastTurn === undefined || turn === this.#lastTurn + 1) return undefined;
    return `turn ${turn} cannot follow turn ${this.#lastTurn}`;
  }

  #checkStepNumber({ step }: Numbers): string | undefined {
    if (this.#lastStep === undefined || step === this.#lastStep + 1) return undefined;
    return `step ${step} cannot follow step ${this.#lastStep}`;
  }

  #inTurn({ turn }: Numbers): string | undefined {
    if (this.#open.turn === undefined) return 'no turn is open';
    return turn === undefined || turn === this.#open.turn
      ? undefined
      : `turn ${turn} is not the open turn ${this.#open.turn}`;
  }

  #inStep(numbers: Numbers): string | undefined {
    const outside = this.#inTurn(numbers);
    if (outside) return outside;
    if (this.#open.step === undefined) return 'no step is open';
    const { step } = numbers;
    return step === undefined || step === this.#open.step
      ? undefined
      : `step ${step} is not the open step ${this.#open.step}`;
  }

  #noStep(): string | undefined {
    return this.#open.step === undefined ? undefined : `step ${this.#open.step} is still open`;
  }

  #afterStep({ step }: Numbers): string | undefined {
    if (this.#lastStep === undefined || step === this.#lastStep) return undefined;
    return `a retry follows its own step: the last one was ${this.#lastStep}, not ${step}`;
  }

  #bracketsClosed(data: unknown): string | undefined {
    const reason = (data as { reason?: { kind?: string } }).reason?.kind;
    const [first] = this.#brackets.pending();
    // A crash leaves brackets open; the turn's end closes them for every reader.
    return first === undefined || reason === 'interrupted' ? undefined : `${first} is still open`;
  }
}
