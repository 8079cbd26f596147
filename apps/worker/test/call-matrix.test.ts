import { expect, test } from 'vitest';
import type { ApprovalPolicy, PlanEnforcement, SandboxMode, SessionId, TenantId } from '@everturn/core/domain';
import { catalog, toolKey, type ToolDefinition, type ValueSchema } from '@everturn/tools/catalog';
import { ToolSettings, workflowSettings } from '@everturn/tools/kit';
import { orchestrations } from '@everturn/tools/workflow';
import { describePlan, describeTools } from '../src/activities/assemble/describe-tools.ts';
import { classified } from '../src/activities/streaming/classify-calls.ts';
import { registerCore, Registry } from '../src/plugins/index.ts';
import { decideCall, notGranted, withoutAsking } from '../src/workflows/step/decide-call.ts';

// What ought to be, written down by hand and not taken from the definitions.

/** Tools that change nothing. */
const READS = new Set([
  'ask_user_question',
  'cordis_inspect_list',
  'cordis_inspect_query',
  'exit_plan_mode',
  'glob',
  'grep',
  'job_list',
  'job_output',
  'list_mcp_resource_templates',
  'list_mcp_resources',
  'list_subagent_models',
  'lsp',
  'read',
  'read_image',
  'read_mcp_resource',
  'session_event_read',
  'session_event_search',
  'session_event_trace',
  'session_search',
  'session_trace',
  'skill',
  'run_code', // whose calls are judged one by one
  'stagehand_extract',
  'stagehand_observe',
  'stagehand_screenshot',
  'team:list_agents',
  'team_task_get',
  'team_task_list',
  'terminal_list',
  'terminal_read',
  'todo_write',
  'wait_agent',
  'web_fetch',
  'web_search',
]);
/** Tools that act, which plan mode may refuse. A new tool is written down here or above, by whoever knows what it does. */
const ACTS = new Set([
  'bash',
  'create_goal',
  'edit',
  'get_goal',
  'subagents:interrupt_agent',
  'job_kill',
  'subagents:list_agents',
  'load_workspace_dependencies',
  'persistent-pwsh:pwsh',
  'persistent-shell:bash',
  'plugin_manager',
  'present',
  'pwsh:pwsh',
  'ralph',
  'schedule_create',
  'schedule_delete',
  'schedule_list',
  'subagents:send_message',
  'stagehand_act',
  'stagehand_navigate',
  'stagehand_tabs',
  'str_replace_editor',
  'subagent',
  'subagent_fork',
  'subagents:subagent',
  'subagents:subagent_fork',
  'terminal_close',
  'terminal_open',
  'terminal_send',
  'terminal_signal',
  'update_goal',
  'workflow',
  'write',
  'spawn_teammate',
  'team:interrupt_agent',
  'team:send_message',
  'team_task_create',
  'team_task_update',
]);
/** Tools of which one call may have a wider mode, and what the grant is about. */
const ESCALATES: Readonly<Record<string, string>> = {
  bash: 'command',
  'pwsh:pwsh': 'command',
  write: 'operation',
  edit: 'operation',
  run_code: 'program',
  plugin_manager: 'plugin management operation',
};
/** Whose call as it stands needs full access, by itself or by a grant. */
const NEEDS_FULL_ACCESS: Readonly<Record<string, string>> = {
  plugin_manager: 'plugin_manager {"action":"list_plugins"}',
};
const MODES: readonly SandboxMode[] = ['read-only', 'workspace-write', 'danger-full-access'];
const POLICIES: readonly ApprovalPolicy[] = ['ask', 'never'];
const PLANS = ['off', 'prompt', 'deny'] as const satisfies readonly (PlanEnforcement | 'off')[];
const WISHES = [undefined, 'workspace-write', 'danger-full-access'] as const;
const WHY = 'it must be so';

interface Cell {
  key: string;
  mode: SandboxMode;
  policy: ApprovalPolicy;
  plan: (typeof PLANS)[number];
  wish: SandboxMode | undefined;
}

function expected({ key, mode, policy, plan, wish }: Cell): string {
  if (plan === 'deny' && !READS.has(key))
    return 'denied: plan mode is active; present the plan with exit_plan_mode first';
  const subject = ESCALATES[key];
  const needed = NEEDS_FULL_ACCESS[key];
  if (needed !== undefined && !wish && mode !== 'danger-full-access')
    return policy === 'never'
      ? `denied: the user rejected escalating this ${subject} to "danger-full-access"`
      : `asks: escalate sandbox to danger-full-access: ${needed}`;
  if (wish && subject !== undefined) {
    if (MODES.indexOf(wish) <= MODES.indexOf(mode))
      return `denied: sandbox escalation to "${wish}" is not strictly wider than this call's current "${mode}" mode`;
    if (needed !== undefined && wish !== 'danger-full-access')
      return `denied: sandbox escalation to "${wish}" does not suffice: this call needs "danger-full-access"`;
    return policy === 'never'
      ? `denied: the user rejected escalating this ${subject} to "${wish}"`
      : `asks: escalate sandbox to ${wish}: ${WHY}${needed === undefined ? '' : ` (${needed})`}`;
  }
  if (key === 'ask_user_question') return 'asks: a question';
  if (key === 'exit_plan_mode')
    return plan === 'off' ? 'denied: exit_plan_mode is only available in plan mode' : 'asks: a question';
  return 'runs';
}

/** The least a schema accepts. */
function least(schema: ValueSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf?.[0]) return least(schema.oneOf[0]);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((name) => [name, least(schema.properties?.[name] ?? {})]));
    case 'array':
      return schema.items ? [least(schema.items)] : [];
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return false;
    default:
      return '# x';
  }
}

function sessionWith(tool: ToolDefinition) {
  const registry = new Registry();
  registerCore(registry.global, { tools: catalog.map((definition) => ({ definition })) });
  const toolsets = tool.toolset === undefined ? [] : [tool.toolset];
  return registry.view({ tenant: 't' as TenantId, session: 's' as SessionId }, { toolsets, toolsMode: 'both' });
}

const KIT = ToolSettings.parse({});

async function actual(tool: ToolDefinition, view: ReturnType<typeof sessionWith>, cell: Cell): Promise<string> {
  const { mode, policy, plan, wish } = cell;
  const args = {
    ...(least(tool.parameters) as object),
    ...(wish && { sandbox_permissions: wish, justification: WHY }),
  };
  const shown = [...view.tools.keys()].map((name) => ({ name, description: '', parameters: {} as never }));
  const offer = { tools: describeTools(view, { tools: shown }), settings: workflowSettings(KIT) };
  const request = { index: 0, callId: 'c' as never, name: tool.name, arguments: JSON.stringify(args) };
  const call = classified(request, { view, offer });
  const decision = decideCall({
    call,
    tool: call.tool,
    plan: plan === 'off' ? undefined : describePlan(view, plan),
    mode,
  });
  switch (decision.kind) {
    case 'deny':
      return `denied: ${decision.reason}`;
    case 'ask': {
      const unasked = withoutAsking(policy);
      return unasked ? `denied: ${notGranted(unasked, decision)}` : `asks: ${decision.reason}`;
    }
    case 'run':
      return tool.name === 'ask_user_question' || tool.name === 'exit_plan_mode' ? body(tool, args, cell) : 'runs';
  }
}

/** The tools that exist to ask do so in their bodies. */
async function body(tool: ToolDefinition, args: object, { plan }: Cell): Promise<string> {
  let asked = false;
  const { result } = await orchestrations.get(toolKey(tool))!.orchestrate(args, {
    initiator: { session: 's' as SessionId, turn: 1, step: 1, call: 0 },
    now: 0,
    settings: KIT,
    ...(plan !== 'off' && { planning: true }),
    ask: async () => {
      asked = true;
      return { kind: 'cancelled' };
    },
  });
  const [block] = result.content as { text: string }[];
  return asked ? 'asks: a question' : `denied: ${block?.text.replace(/^Error: /, '')}`;
}

test('every tool in every mode, under every policy and enforcement, wishing for more or not, comes to what is written down', async () => {
  const wrong: [Cell, { expected: string; actual: string }][] = [];
  const seen = new Set<string>();
  let cells = 0;
  for (const tool of catalog) {
    const key = toolKey(tool);
    const view = sessionWith(tool);
    for (const mode of MODES)
      for (const policy of POLICIES)
        for (const plan of PLANS)
          for (const wish of WISHES) {
            const cell: Cell = { key, mode, policy, plan, wish };
            const outcome = { expected: expected(cell), actual: await actual(tool, view, cell) };
            cells += 1;
            seen.add(outcome.actual.split(':')[0] ?? '');
            if (outcome.actual !== outcome.expected) wrong.push([cell, outcome]);
          }
  }
  expect(wrong).toEqual([]);
  expect(cells).toBe(catalog.length * 54);
  expect([...seen].toSorted()).toEqual(['asks', 'denied', 'runs']);
  // The table itself speaks of tools that there are.
  const keys = new Set(catalog.map(toolKey));
  expect(Object.keys(ESCALATES).filter((key) => !keys.has(key))).toEqual([]);
  // And of every one: a tool nobody has thought about fails here.
  expect([...READS, ...ACTS].toSorted()).toEqual([...keys].toSorted());
});
