/** The Node to go on with. */
export function chooseNode(root: string): string;

/** Whether version a is b or later; both are three numbers with dots. */
export function isAtLeast(a: string, b: string): boolean;
