/** Content of a message above this many bytes waits by reference. */
export const INLINE_CONTENT_BYTES = 2_048;
