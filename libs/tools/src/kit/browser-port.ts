import type { JsonObject, JsonValue } from '@everturn/core/domain';
import type { SessionResource } from './resources-port.ts';

/** What a tool asks a model beside the conversation. */
export interface ModelQuestion {
  system?: string;
  prompt: string;
  /** What the answer must look like. */
  schema: JsonObject;
  signal: AbortSignal;
}

/** Asks the session's model for one JSON value; throws a plain error that says why there is none. */
export type AskModel = (question: ModelQuestion) => Promise<JsonValue>;

export interface BrowserPage {
  pageId: string;
  url: string;
  title: string;
}
export interface BrowserTab extends BrowserPage {
  active: boolean;
}

/** What every operation is given. */
export interface BrowserCall {
  /** Absent: the active tab. */
  pageId?: string;
  signal: AbortSignal;
  /** Answers what the browser wants to know about a page. */
  ask: AskModel;
}

/** A session's own browser. Operations run one after the other; a cancelled one ends the connection, not the browser. */
export interface Browser extends SessionResource {
  /** Its process is gone, and with it every tab; `unused`: we ended it for want of use, which its session must hear. */
  readonly ended: 'unused' | boolean;
  navigate(url: string, call: BrowserCall): Promise<BrowserPage>;
  tabs(call: BrowserCall): Promise<BrowserTab[]>;
  newTab(url: string | undefined, call: BrowserCall): Promise<BrowserTab[]>;
  selectTab(call: BrowserCall): Promise<BrowserTab[]>;
  closeTab(call: BrowserCall): Promise<BrowserTab[]>;
  act(instruction: string, call: BrowserCall): Promise<JsonObject>;
  observe(instruction: string, call: BrowserCall): Promise<JsonValue>;
  /** Without a schema a text is extracted. */
  extract(instruction: string, schema: JsonObject | undefined, call: BrowserCall): Promise<JsonValue>;
  screenshot(fullPage: boolean, call: BrowserCall): Promise<{ pageId: string; png: Uint8Array }>;
}

/** Browsers of this machine. */
export interface BrowserPort {
  /** Starts one; throws a plain error that says what to install where there is none. */
  launch(signal: AbortSignal): Promise<Browser>;
}
