import { z } from 'zod';
import type { Interaction } from '../platform/api-shapes.ts';
import { inertLine } from '../terminal/inert.ts';

const Approval = z.looseObject({ toolName: z.string(), reason: z.string().optional() });
const Questions = z.looseObject({
  questions: z.array(
    z.looseObject({
      id: z.string(),
      question: z.string(),
      options: z.array(z.looseObject({ label: z.string() })).default([]),
    }),
  ),
  intent: z.looseObject({ detail: z.string() }).optional(),
});

/** What a person is asked, and how they answer; inert. */
export function interactionLines(session: string, { id, kind, state, request }: Interaction): string[] {
  const head = `${inertLine(id, 300)}  ${inertLine(kind, 20)}  ${inertLine(state, 20)}`;
  return [head, ...asked(session, id, kind, request).map((line) => `  ${line}`)];
}

function asked(session: string, id: string, kind: string, request: unknown): string[] {
  const named = `${inertLine(session, 128)} ${inertLine(id, 300)}`;
  if (kind === 'approval') {
    const { toolName = '?', reason } = Approval.safeParse(request).data ?? {};
    const why = reason === undefined ? '' : `: ${inertLine(reason, 2_000)}`;
    return [`${inertLine(toolName, 128)}${why}`, `everturn approve ${named}   or   everturn deny ${named}`];
  }
  const { questions = [], intent } = Questions.safeParse(request).data ?? {};
  const plan = intent ? intent.detail.split('\n').map((line) => inertLine(line, 2_000)) : [];
  const lines = questions.flatMap((one) => [
    `${inertLine(one.id, 128)}: ${inertLine(one.question, 2_000)}`,
    ...one.options.map(({ label }) => `  - ${inertLine(label, 500)}`),
  ]);
  return [
    ...plan,
    ...lines,
    `everturn answer ${inertLine(session, 128)} --id ${inertLine(id, 300)} --select question=label`,
  ];
}
