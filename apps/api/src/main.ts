import { understandDecorators } from './understand-decorators.ts';

// Before anything that has some is loaded.
understandDecorators();
await import('./start-api-process.ts');
