import { defineSignal } from '@temporalio/workflow';
import type { Permissions } from '@everturn/core/domain';
import type { PermissionUpdate } from '@everturn/core/protocol';

/** Sent down from a session to its turn and from a turn to its step: what calls may do from now on. */
export const permissionsSignal = defineSignal<[PermissionUpdate]>('permissions');

/** What calls may do now; a turn and the steps that run inside it share one. */
export interface PermissionCell {
  /** Absent in work that began before there were any: the deployment decides then. */
  now?: Permissions;
}
