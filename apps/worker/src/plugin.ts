/** What the code of a plugin works with: `import { definePlugin, defineTool } from '@everturn/worker/plugin'`. */
export { text } from '@everturn/core/domain';
export { defineTool, implementTool, ToolError } from '@everturn/tools/kit';
export { LlmError } from '@everturn/core/domain';
export type { GenerateOptions, StreamChunk } from '@everturn/core/domain';
export type { LlmAdapter } from '@everturn/core/providers';
export type { ToolBody, ToolDefinition, ToolOutput, ToolRunContext } from '@everturn/tools/kit';
export { definePlugin } from './plugins/define-plugin.ts';
export type { DefinedPlugin, PluginParts } from './plugins/define-plugin.ts';
export type { Plugin, PluginApi, PluginScope } from './plugins/plugin-api.ts';
export type { ModelProvider, PluginSkill } from './plugins/registry-layer.ts';
