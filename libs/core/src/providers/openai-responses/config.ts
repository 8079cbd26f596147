import type { EndpointConfig } from '../wire/endpoint-config.ts';

/** How one endpoint of the Responses API is reached; `/responses` is added to `baseUrl`. */
export type ResponsesConfig = EndpointConfig;
