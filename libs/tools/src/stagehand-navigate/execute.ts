import {
  browserCall,
  implementTool,
  jsonOutput,
  refuseBlank,
  refuseMalformedUrl,
  sessionBrowser,
} from '../kit/index.ts';
import { stagehandNavigate } from './schema.ts';

/** Goes to the address and tells where that led. */
export const executeStagehandNavigate = implementTool(stagehandNavigate, async ({ url, pageId }, context) => {
  refuseBlank({ pageId });
  refuseMalformedUrl(url);
  const browser = await sessionBrowser(context);
  return jsonOutput({ ...(await browser.navigate(url, browserCall(context, pageId))) });
});
