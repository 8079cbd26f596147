import type { Frame } from './transcript.ts';

/** Frames that belong to blocks in the order of their blocks turned round, each block's own in theirs; others stay. */
export function laterBlocksFirst(frames: readonly Frame[], blockOf: (frame: Frame) => number | undefined): Frame[] {
  const turned = frames
    .filter((frame) => blockOf(frame) !== undefined)
    .toSorted((a, b) => (blockOf(b) ?? 0) - (blockOf(a) ?? 0))
    .values();
  return frames.map((frame) => (blockOf(frame) === undefined ? frame : (turned.next().value ?? frame)));
}

/** Frames with another one in the last one's place. */
export const withLast = (frames: readonly Frame[], change: (last: Frame) => Frame): Frame[] =>
  frames.map((frame, index) => (index === frames.length - 1 ? change(frame) : frame));
