import { resultText, stringField, type CallPresenter, type ResultPresenter } from '../presentation.ts';

const presentCall: CallPresenter = (args) => {
  const command = stringField(args, 'command');
  return command === undefined ? undefined : { card: 'terminal', title: command, command };
};

const presentResult: ResultPresenter = (args, result) => {
  const command = stringField(args, 'command');
  return command === undefined ? undefined : { card: 'generic', title: command, detail: resultText(result) };
};

/** What the tools that run commands in a kept shell have in common. */
export const KEPT_SHELL_TOOL = { home: 'host', effect: 'at-most-once', presentCall, presentResult } as const;
