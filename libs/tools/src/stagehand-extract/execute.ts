import type { JsonObject } from '@everturn/core/domain';
import { browserCall, implementTool, jsonOutput, refuseBlank, sessionBrowser } from '../kit/index.ts';
import { stagehandExtract } from './schema.ts';

/** Reads the page in the form that was asked for. */
export const executeStagehandExtract = implementTool(stagehandExtract, async (args, context) => {
  const { instruction, pageId, schema } = args;
  refuseBlank({ instruction, pageId });
  const browser = await sessionBrowser(context);
  return jsonOutput(await browser.extract(instruction, schema as JsonObject | undefined, browserCall(context, pageId)));
});
