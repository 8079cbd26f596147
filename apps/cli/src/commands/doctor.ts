import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { plural } from '../terminal/format.ts';
import { Screen } from '../terminal/screen.ts';
import { styleFor, type Style } from '../terminal/style.ts';
import type { Finding, FindingState } from '../doctor/finding.ts';

/** `doctor`: what is installed, reachable, missing, and the remedy. */
export function addDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .description('Say what is installed, reachable and missing, and what to do about it')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExit status: 0 when nothing fails (warnings count as fine), 1 otherwise.')
    .action(async ({ json }: { json?: true }) => {
      const { examine } = await import('../doctor/examine.ts');
      const screen = new Screen({ sink: process.stderr, style: styleFor(process.stderr) });
      screen.waitFor('the servers and programs to answer');
      const findings = await examine(() => context.settings).finally(() => screen.close());
      if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1;
      if (json) return context.printJson(findings);
      for (const line of findings.flatMap((finding) => lines(finding, context.style))) context.print(line);
      const failed = findings.filter(({ state }) => state === 'fail').length;
      const warned = findings.filter(({ state }) => state === 'warn').length;
      context.print(
        `\n${failed === 0 ? 'Nothing is missing' : `${plural(failed, 'thing')} to mend`}${warned > 0 ? `, ${plural(warned, 'warning')}` : ''}.`,
      );
    });
}

function lines({ name, state, detail, remedy }: Finding, style: Style): string[] {
  const marks: Record<FindingState, string> = {
    ok: style.green('✓'),
    info: style.dim('·'),
    warn: style.yellow('!'),
    fail: style.red('✗'),
  };
  const line = `  ${marks[state]} ${name.padEnd(13)} ${state === 'info' ? style.dim(detail) : detail}`;
  return remedy === undefined ? [line] : [line, `    ${' '.repeat(13)} → ${remedy}`];
}
