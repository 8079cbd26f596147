import pc from 'picocolors';

/** Says what a step is doing just now. */
export type Tell = (text: string) => void;

/** How often a step that says nothing is shown to be alive. */
const everyMs = 2000;

/**
 * Runs one step of a start and shows it: a line when it is done, and until then, from the first second on, what it is
 * doing and for how long. `describe` turns the outcome into the words after its name.
 */
export async function showing<T>(
  name: string,
  work: (tell: Tell) => Promise<T>,
  describe: (outcome: T) => string,
  print: (line: string) => void = console.log,
): Promise<T> {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  let doing = 'starting';
  const show = () => print(pc.dim(`  … ${name}: ${doing} (${seconds()})`));
  const tell: Tell = (text) => {
    doing = text;
    if (Date.now() - started > 1000) show();
  };
  let ticker: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    show();
    ticker = setInterval(show, everyMs);
  }, 1000);
  try {
    const outcome = await work(tell);
    print(`${pc.green('  ✓')} ${name.padEnd(10)} ${describe(outcome)} ${pc.dim(`(${seconds()})`)}`);
    return outcome;
  } catch (error) {
    print(`${pc.red('  ✗')} ${name} ${pc.dim(`(${seconds()})`)}`);
    throw error;
  } finally {
    clearTimeout(first);
    clearInterval(ticker);
  }
}
