/**
 * Stops every clock of this thread: what WebAssembly asks for the time or the time zone is told the same each time, so
 * a program that runs again runs the same way. The engine also seeds its random numbers with the time it is born at.
 */
export function stillClock(): { show(time: number): void } {
  let shown = 0;
  Date.now = () => shown;
  performance.now = () => 0;
  // oxlint-disable-next-line eslint/no-extend-native -- the thread is the program's alone
  Object.defineProperty(Date.prototype, 'getTimezoneOffset', { value: () => 0 });
  return {
    show(time) {
      shown = time;
    },
  };
}
