import { text, type Message } from '@everturn/core/domain';
import { catalogText, type Instructions, type SkillEntry } from '@everturn/tools/kit';

/** What every request of a session begins with: the rules of its project, and the skills it may load. */
export function composePrefix(instructions: readonly Instructions[], skills: readonly SkillEntry[]): Message[] {
  return [
    ...(instructions.length > 0 ? [reminder(instructionsText(instructions))] : []),
    ...(skills.length > 0 ? [reminder(catalogText(skills))] : []),
  ];
}

const reminder = (words: string): Message => ({ role: 'user', content: [text(words)] });

function instructionsText(instructions: readonly Instructions[]): string {
  const files = instructions.map(({ path, text: said, cut }) =>
    [
      `<instructions path="${path.replaceAll('"', '&quot;')}">`,
      // Whatever the file says, it ends where we say.
      said.replaceAll(/<\/(instructions|system-reminder)>/g, '<\\/$1>').trimEnd(),
      ...(cut ? ['[the rest of this file is left out]'] : []),
      '</instructions>',
    ].join('\n'),
  );
  return [
    '<system-reminder>',
    'The project you work in has these instructions for agents. Where two differ, the later one holds, and what the user says holds above all.',
    ...files,
    '</system-reminder>',
  ].join('\n');
}
