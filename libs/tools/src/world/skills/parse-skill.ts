import { parse } from 'yaml';
import { SKILL_NAME, type LoadedSkill } from '../../kit/index.ts';

/** What the text of a skill says. */
export type ParsedSkill = Pick<
  LoadedSkill,
  'name' | 'description' | 'whenToUse' | 'byModel' | 'byPerson' | 'instructions'
>;

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const MAX_DESCRIPTION = 4_000;

/** Reads a skill's file; `undefined` for one whose front matter is not what it must be. */
export function parseSkill(text: string): ParsedSkill | undefined {
  const matter = FRONT_MATTER.exec(text);
  const fields = matter && fieldsOf(matter[1] ?? '');
  if (!matter || !fields) return undefined;
  const { name, description, whenToUse } = fields;
  if (typeof name !== 'string' || !SKILL_NAME.test(name)) return undefined;
  if (typeof description !== 'string' || description.trim() === '' || description.length > MAX_DESCRIPTION)
    return undefined;
  if (whenToUse !== undefined && typeof whenToUse !== 'string') return undefined;
  const hidden = truthOf(fields['disable-model-invocation'], false);
  const byPerson = truthOf(fields['user-invocable'], true);
  if (hidden === undefined || byPerson === undefined) return undefined;
  return {
    name,
    description,
    ...(whenToUse !== undefined && { whenToUse }),
    byModel: !hidden,
    byPerson,
    instructions: text.slice(matter[0].length),
  };
}

function fieldsOf(yaml: string): Record<string, unknown> | undefined {
  try {
    const fields: unknown = parse(yaml, { maxAliasCount: 0 });
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** YAML's own truth values and the words people write for them; `undefined` for anything else. */
function truthOf(value: unknown, absent: boolean): boolean | undefined {
  if (value === undefined) return absent;
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).toLowerCase() : '';
  if (['true', 'yes', 'on', '1'].includes(word)) return true;
  return ['false', 'no', 'off', '0'].includes(word) ? false : undefined;
}
