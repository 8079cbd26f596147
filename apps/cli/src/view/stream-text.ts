import type { StreamChunk } from '@everturn/core/domain';
import { InertStream } from '../terminal/inert-stream.ts';
import type { Screen } from '../terminal/screen.ts';

/** Shows one model answer as it arrives: text as it is, reasoning dimmed, each block from the start of a line. */
export class StreamText {
  readonly #screen: Screen;
  readonly #kinds = new Map<number, 'text' | 'reasoning'>();
  #index: number | undefined;
  #piece = new InertStream();
  #begun = false;
  /** Text so far, to be compared with what the log says in the end. */
  #shown = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** How many characters of text (not reasoning) were shown. */
  get shown(): number {
    return this.#shown;
  }

  push(chunk: StreamChunk): void {
    switch (chunk.type) {
      case 'text-delta':
        this.#shown += chunk.text.length;
        return this.#write(chunk.index, 'text', chunk.text);
      case 'reasoning-delta':
        return this.#write(chunk.index, 'reasoning', chunk.text);
      case 'tool-call-delta':
        return this.#screen.waitFor('the model writes a tool call');
      case 'block-start':
      case 'block-end':
      case 'usage':
      case 'finish':
        return;
      default:
        // A log of a later version may hold kinds this program does not know.
        return;
    }
  }

  /** Ends the answer, and the line it left open. */
  end(): void {
    this.#endBlock();
    this.#screen.endLine();
  }

  #write(index: number, kind: 'text' | 'reasoning', text: string): void {
    if (index !== this.#index) {
      this.#endBlock();
      this.#index = index;
      this.#kinds.set(index, kind);
      this.#screen.endLine();
    }
    this.#show(this.#piece.push(text));
    this.#screen.waitFor('the model');
  }

  #show(text: string): void {
    // A block that begins with empty lines would tear a hole.
    const visible = this.#begun ? text : text.trimStart();
    if (visible === '') return;
    if (!this.#begun) this.#screen.gap();
    this.#begun = true;
    const dimmed = this.#index !== undefined && this.#kinds.get(this.#index) === 'reasoning';
    this.#screen.text(visible, dimmed ? this.#screen.style.dim : undefined);
  }

  #endBlock(): void {
    this.#show(this.#piece.end());
    this.#piece = new InertStream();
    this.#begun = false;
    this.#index = undefined;
  }
}
