import { defineTool, fieldsOf, PLAN_TOOL, type CallPresenter } from '../kit/index.ts';

const presentPlan: CallPresenter = (args) => {
  const { plan } = fieldsOf(args);
  const [title = ''] = typeof plan === 'string' ? plan.trim().split('\n') : [];
  return { card: 'generic', title: title === '' ? 'Present the plan' : `Plan: ${title.replace(/^#\s+/, '')}` };
};

/** Puts the finished plan to a person, whose approval ends plan mode. */
export const exitPlanMode = defineTool({
  name: PLAN_TOOL,
  description: [
    'Presents your finished plan to the person you work for and waits for their review, for days if need be. Use it only in plan mode, when the plan is complete; do not ask for approval in any other way.',
    'If they approve, plan mode ends with this step: carry the plan out from your next one on. If they keep planning, the result is an error with what they said; change the plan and present it again.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      plan: {
        type: 'string',
        description:
          'The whole plan as Markdown, beginning with a heading (`# What is to be done`): what you will change, where, in which order, and how you will check it. Required; there is no default.',
      },
    },
    required: ['plan'],
  },
  home: 'workflow',
  effect: 'idempotent',
  readOnly: true,
  presentCall: presentPlan,
});
