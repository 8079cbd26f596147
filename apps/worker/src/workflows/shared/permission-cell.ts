import { defineSignal, type ChildWorkflowHandle, type Workflow } from '@temporalio/workflow';
import type { Permissions } from '@everturn/core/domain';
import type { PermissionUpdate } from '@everturn/core/protocol';

/** Sent down from a session to its turn, from a turn to its step, and on to programs: what calls may do from now on. */
export const permissionsSignal = defineSignal<[PermissionUpdate]>('permissions');

/** What calls may do now; a turn and the steps that run inside it share one. */
export interface PermissionCell {
  /** Absent in work that began before there were any: the deployment decides then. */
  now?: Permissions;
  /** Programs under way, which are told of a change, too. */
  programs?: Set<(update: PermissionUpdate) => void>;
}

/** Takes a change: calls that start from now on keep to it. */
export function changePermissions(cell: PermissionCell, update: PermissionUpdate): void {
  cell.now = update.permissions;
  for (const tell of cell.programs ?? []) tell(update);
}

/** Hands changes on to a child workflow, once it is up; one that has ended needs none. */
export const sendTo =
  (started: PromiseLike<ChildWorkflowHandle<Workflow>>) =>
  (update: PermissionUpdate): void =>
    void started.then((handle) => handle.signal(permissionsSignal, update).catch(() => undefined));
