export { admitImage, type AdmitImageInput } from './images/admit-image.ts';
export { inheritedEnvironment } from './processes/child-environment.ts';
export { openLocalWorld, type LocalWorld, type OpenLocalWorldInput } from './local-world.ts';
export { reapOrphans, type ReapOrphansResult } from './processes/reap-orphans.ts';
export { ResourceHolder } from './resources/resource-holder.ts';
export { LocalSpillStore } from './local-spill-store.ts';
export { sealEnvironment, type SealEnvironmentInput, type SealEnvironmentResult } from './secret-environment.ts';
export * from './programs/index.ts';
export type { KeyedWebProvider, WebSettings } from './web/local-web.ts';
