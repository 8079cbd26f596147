import { maintain } from './proxies.ts';
import type { MaintenanceInput, MaintenanceReport } from '../contract/index.ts';

/** Upkeep on a schedule: births that stopped half-way, seals, expired keys, values nobody refers to. */
export async function maintenanceWorkflow(input: MaintenanceInput): Promise<MaintenanceReport> {
  return maintain(input);
}
