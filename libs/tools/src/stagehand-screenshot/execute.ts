import { text } from '@everturn/core/domain';
import { browserCall, implementTool, refuseBlank, sessionBrowser } from '../kit/index.ts';
import { stagehandScreenshot } from './schema.ts';

/** Takes the picture, once it is known that the model which will read the result can see. */
export const executeStagehandScreenshot = implementTool(stagehandScreenshot, async ({ fullPage, pageId }, context) => {
  refuseBlank({ pageId });
  const { attachments } = context.ports;
  const model = await context.route?.();
  if (!attachments || !model) throw new Error('screenshots are not available: this deployment stores no images');
  if (!model.takesImages)
    throw new Error(`the model "${model.model}" takes text only; use stagehand_extract or stagehand_observe instead`);
  const browser = await sessionBrowser(context);
  const shot = await browser.screenshot(fullPage, browserCall(context, pageId));
  const image = await attachments.save(shot.png, 'image/png');
  return { content: [text(`Screenshot of tab ${shot.pageId}.`), image], value: { pageId: shot.pageId } };
});
