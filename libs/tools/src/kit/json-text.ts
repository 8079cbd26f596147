import { text, type JsonValue, type TextBlock } from '@everturn/core/domain';

/** An answer as compact JSON. */
export const jsonText = (value: object): TextBlock => text(JSON.stringify(value as JsonValue));
