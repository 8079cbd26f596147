import { browserCall, implementTool, jsonOutput, refuseBlank, sessionBrowser } from '../kit/index.ts';
import { stagehandObserve } from './schema.ts';

/** Lists what fits. */
export const executeStagehandObserve = implementTool(stagehandObserve, async ({ instruction, pageId }, context) => {
  refuseBlank({ instruction, pageId });
  const browser = await sessionBrowser(context);
  return jsonOutput(await browser.observe(instruction, browserCall(context, pageId)));
});
