import { browserCall, implementTool, jsonOutput, refuseBlank, sessionBrowser } from '../kit/index.ts';
import { stagehandAct } from './schema.ts';

/** Lets the browser do it; no success is a failed call. */
export const executeStagehandAct = implementTool(stagehandAct, async ({ instruction, pageId }, context) => {
  refuseBlank({ instruction, pageId });
  const browser = await sessionBrowser(context);
  return jsonOutput(await browser.act(instruction, browserCall(context, pageId)));
});
