/** What tools may do: everything the worker's user may. Approvals and confinement come later; until then nothing hides it. */
export const TOOL_MODE = 'danger-full-access';
