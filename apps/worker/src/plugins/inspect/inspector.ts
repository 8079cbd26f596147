import type { InspectCall, InspectMethod, InspectProvider } from '@everturn/tools/kit';
import type { RegistryView } from '../registry-view.ts';

/** A question, and what the session it is asked for sees. */
export interface InspectorCall extends InspectCall {
  readonly view: RegistryView;
}

/** Answers questions about what is registered in this process. */
export type Inspector = InspectProvider<InspectorCall>;

/** One question of an inspector. */
export type InspectorMethod = InspectMethod<InspectorCall>;

/** The inspectors of a session as its tools ask them. */
export function inspectorsFor(view: RegistryView): readonly InspectProvider[] {
  return [...view.inspectors.values()].map(({ id, description, methods }) => ({
    id,
    description,
    methods: methods.map((method) => ({
      ...method,
      answer: (input, call) => method.answer(input, { ...call, view }),
    })),
  }));
}
