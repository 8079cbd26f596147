import { Command } from 'commander';
import { addAnswer } from './commands/answer.ts';
import { addCommand } from './commands/command.ts';
import { addDecide } from './commands/decide.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEvents } from './commands/events.ts';
import { addInteractions } from './commands/interactions.ts';
import { addKeysCreate } from './commands/keys-create.ts';
import { addKeysList } from './commands/keys-list.ts';
import { addKeysRevoke } from './commands/keys-revoke.ts';
import { addLogRebuild } from './commands/log-rebuild.ts';
import { addLogVerify } from './commands/log-verify.ts';
import { addPermissions } from './commands/permissions.ts';
import { addPlan } from './commands/plan.ts';
import { addRun } from './commands/run.ts';
import { addSessionCancel } from './commands/session-cancel.ts';
import { addSessionClose } from './commands/session-close.ts';
import { addSessionRecover } from './commands/session-recover.ts';
import { addSessionResume } from './commands/session-resume.ts';
import { addSessionShow } from './commands/session-show.ts';
import { addSessions } from './commands/sessions.ts';
import { addTimes } from './commands/times.ts';
import { addTools } from './commands/tools.ts';
import type { Context } from './platform/context.ts';

/** The whole command line; parsing errors are thrown as CommanderError, and nothing here ends the process. */
export function createProgram(context: Context): Command {
  const program = new Command('everturn')
    .description('Run and watch durable agent sessions')
    .option('--debug', 'show the stack of an error')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      '\nEVERTURN_API_URL and EVERTURN_API_KEY say which API to speak to and as whom; without them it is the one that' +
        '\n`npm run up` runs here. keys, log and doctor use DATABASE_URL and TEMPORAL_ADDRESS themselves.',
    );
  addRun(program, context);
  addSessions(program, context);
  addEvents(program, context);

  addInteractions(program, context);
  addDecide(program, context);
  addAnswer(program, context);
  addPlan(program, context);
  addPermissions(program, context);
  addCommand(program, context);

  const session = program.command('session').description('Look at one session, or end, reopen or mend it');
  addSessionShow(session, context);
  addSessionCancel(session, context);
  addSessionClose(session, context);
  addSessionResume(session, context);
  addSessionRecover(session, context);

  addTimes(program, context);

  const keys = program.command('keys').description('Make, list and revoke API keys (straight in the database)');
  addKeysCreate(keys, context);
  addKeysList(keys, context);
  addKeysRevoke(keys, context);

  const log = program.command('log').description('Check or restore a stored log against the histories in Temporal');
  addLogVerify(log, context);
  addLogRebuild(log, context);

  addTools(program, context);
  addDoctor(program, context);
  for (const command of everyCommand(program)) quiet(command);
  return program;
}

/** Errors are thrown, to be printed in one place and in one way. */
function quiet(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => {} });
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
