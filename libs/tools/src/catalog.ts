import { bash } from './bash/schema.ts';
import { edit } from './edit/schema.ts';
import { glob } from './glob/schema.ts';
import { grep } from './grep/schema.ts';
import type { ToolDefinition } from './kit/index.ts';
import { read } from './read/schema.ts';
import { todoWrite } from './todo-write/schema.ts';
import { write } from './write/schema.ts';

export { classifyCall } from './kit/index.ts';
export type { Concurrency, PromptSection, ToolDefinition, ToolEffect, ToolHome, ToolView } from './kit/index.ts';

/** Every built-in tool, by name in alphabetical order. Loads in workflow code, too. */
export const catalog: readonly ToolDefinition[] = Object.freeze([bash, edit, glob, grep, read, todoWrite, write]);

/** A built-in tool by its name. */
export const findTool = (name: string): ToolDefinition | undefined => catalog.find((tool) => tool.name === name);
