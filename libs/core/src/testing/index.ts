/** Real servers and real processes for tests; nothing but tests imports this door. */
export { neededProgram, type NeededProgram } from './needed-program.ts';
export { noisePng } from './noise-png.ts';
export { openTestDatabase, type OpenTestDatabase } from './open-test-database.ts';
export { type RecordedRequest, type RecordingServer, startRecordingServer } from './recording-server.ts';
export { runScript } from './run-script.ts';
export { type ExitStatus, type SpawnedProcess, spawnProcess, type SpawnProcessOptions } from './spawn-process.ts';
export { type ServerKind, startServer, type StartServerOptions, type TestServer } from './start-server.ts';
export { type TestDatabase, testDatabase } from './test-database.ts';
export { type TestTemporal, testTemporal } from './test-temporal.ts';
export { TestingError, type TestingErrorCode } from './testing-error.ts';
export { waitFor, type WaitOptions } from './wait-for.ts';
export { workflowBundle } from './workflow-bundle.ts';
export { workspaceRoot } from './workspace-root.ts';
export { type ScriptedModel, startScriptedModel } from '../providers/scripted/start-scripted-model.ts';
