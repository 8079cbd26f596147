import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { inertLine } from '../terminal/inert.ts';
import { table } from '../terminal/table.ts';

/** `tools`: every built-in tool. */
export function addTools(program: Command, context: Context): void {
  program
    .command('tools')
    .description('List the tools a model can be given')
    .option('--json', 'print keys, names, sets, descriptions and JSON schemas as the model gets them')
    .option('--markdown', 'print the page docs/tools.md')
    .action(async ({ json, markdown }: { json?: true; markdown?: true }) => {
      const { catalog, toolKey } = await import('@everturn/tools/catalog');
      if (markdown) {
        const { toolsPage } = await import('../view/tools-page.ts');
        context.print(toolsPage(catalog).trimEnd());
        return;
      }
      if (json) {
        context.printJson(
          catalog.map((tool) => {
            const { name, toolset, description, parameters } = tool;
            return { key: toolKey(tool), name, ...(toolset !== undefined && { toolset }), description, parameters };
          }),
        );
        return;
      }
      const rows = catalog.map((tool) => [
        toolKey(tool),
        tool.toolset ?? '',
        inertLine(tool.description.split('. ')[0] ?? '', 110),
      ]);
      for (const line of table(rows)) context.print(line);
    });
}
