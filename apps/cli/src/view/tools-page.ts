import { CODE_TOOL, toolKey, type ToolDefinition, type ValueSchema } from '@everturn/tools/catalog';

const HOMES = {
  host: "on the session's machine",
  model: 'on any worker',
  workflow: 'in the workflow, without a worker being kept busy',
} satisfies Record<ToolDefinition['home'], string>;

const EFFECTS = {
  idempotent: 'runs again',
  keyed: 'runs again under the same key',
  'at-most-once': 'is reported as unknown and never runs again',
} satisfies Record<ToolDefinition['effect'], string>;

/** The catalogue as a page of Markdown, for people. */
export function toolsPage(catalog: readonly ToolDefinition[]): string {
  const head = [
    '# Tools',
    '',
    'Every built-in tool, as the model is told of it. Written by `npm run docs`; `npm run check` fails when it is stale.',
    'Tools of an optional set are there for sessions that name the set (`toolsets`, or `EVERTURN_TOOLSETS` for all).',
  ];
  return `${[...head, ...catalog.flatMap(toolSection)].join('\n')}\n`;
}

function toolSection(tool: ToolDefinition): string[] {
  const { home, effect, timeoutMs, description, parameters } = tool;
  const facts = [
    offered(tool),
    `runs ${HOMES[home]}`,
    home === 'workflow' ? 'goes on when a worker dies' : `a call whose worker dies ${EFFECTS[effect]}`,
    ...(timeoutMs === undefined ? [] : [`at most ${timeoutMs / 1000} s`]),
  ];
  const shapes = parameters.oneOf ?? [parameters];
  const rows = shapes.flatMap((shape) => argumentRows(shape, shapes.length > 1));
  const table = rows.length === 0 ? [] : ['', '| argument | type | |', '| --- | --- | --- |', ...rows];
  return ['', `## \`${toolKey(tool)}\``, '', `_${facts.join('; ')}._`, '', cell(description), ...table];
}

function offered({ name, toolset }: ToolDefinition): string {
  if (name === CODE_TOOL) return 'offered in the tools modes `ptc` and `both`';
  return toolset === undefined ? 'always offered' : `set \`${toolset}\``;
}

/** The arguments of one shape; where there are several, what tells them apart comes first. */
function argumentRows({ properties = {}, required = [] }: ValueSchema, oneOfSeveral: boolean): string[] {
  const fixed = Object.entries(properties).flatMap(([name, value]) =>
    'const' in value ? [`${name} = ${JSON.stringify(value.const)}`] : [],
  );
  const rows = Object.entries(properties).map(([name, value]) => {
    const kind = `${value.type ?? 'any'}${required.includes(name) ? '' : ', optional'}`;
    return `| \`${name}\` | ${kind} | ${cell(value.description ?? '')} |`;
  });
  return oneOfSeveral ? [`| _${cell(fixed.join(', ')) || 'or'}_ | | |`, ...rows] : rows;
}

/** Text that stays in its place: no line ends, no column of its own. */
const cell = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', String.raw`\|`)
    .trim();
