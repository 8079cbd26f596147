import { builtinInspector } from './builtin-inspector.ts';
import { eventInspector } from './event-inspector.ts';
import type { Inspector } from './inspector.ts';
import { serviceInspector } from './service-inspector.ts';
import { toolInspector } from './tool-inspector.ts';

export { inspectorsFor } from './inspector.ts';
export type { Inspector, InspectorCall, InspectorMethod } from './inspector.ts';

/** Whom every session can ask. */
export const hostInspectors: readonly Inspector[] = [serviceInspector, eventInspector, builtinInspector, toolInspector];
