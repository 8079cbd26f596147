import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** That this process is about to end; told first of all, while everything still works. */
@Injectable()
export class Shutdown implements OnModuleDestroy {
  readonly #told = new Set<() => void>();
  #begun = false;

  get begun(): boolean {
    return this.#begun;
  }

  /** Calls back once it begins, at once where it has; the returned function forgets the caller. */
  tell(callback: () => void): () => void {
    if (this.#begun) callback();
    else this.#told.add(callback);
    return () => this.#told.delete(callback);
  }

  onModuleDestroy(): void {
    this.#begun = true;
    for (const callback of this.#told) callback();
    this.#told.clear();
  }
}
