/** Injection token of the OpenAPI document, which is made once the routes are known. */
export const OPENAPI_DOCUMENT = Symbol('everturn.openapi');
