import { assertNever } from '@everturn/core/domain';
import {
  browserCall,
  implementTool,
  jsonOutput,
  refuseBlank,
  refuseMalformedUrl,
  sessionBrowser,
  type BrowserTab,
} from '../kit/index.ts';
import { stagehandTabs } from './schema.ts';

/** Each action ends with what tabs there are. */
export const executeStagehandTabs = implementTool(stagehandTabs, async (args, context) => {
  if ('pageId' in args) refuseBlank({ pageId: args.pageId });
  if ('url' in args) refuseMalformedUrl(args.url);
  const browser = await sessionBrowser(context);
  const tabsAfter = (): Promise<BrowserTab[]> => {
    switch (args.action) {
      case 'list':
        return browser.tabs(browserCall(context, undefined));
      case 'new':
        return browser.newTab(args.url, browserCall(context, undefined));
      case 'select':
        return browser.selectTab(browserCall(context, args.pageId));
      case 'close':
        return browser.closeTab(browserCall(context, args.pageId));
      default:
        return assertNever(args);
    }
  };
  return jsonOutput({ tabs: (await tabsAfter()).map((tab) => ({ ...tab })) });
});
