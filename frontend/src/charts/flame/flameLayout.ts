/** Places the frames of a CPU profile: callers above, callees below, as wide as their samples. */
import type { CellProfile } from "@/api/generated";

type Frame = CellProfile["frames"][number];

/** A drawn frame; `left` and `width` are percentages of the drawing. */
export interface Box {
  index: number;
  depth: number;
  left: number;
  width: number;
}

/** The least width, in percent, of a frame that is drawn. */
export const NARROWEST = 0.15;

/** The children of each frame, in order; those of -1 are the roles. */
export function childrenOf(frames: readonly Frame[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  frames.forEach((frame, index) => {
    const parent = frame.parent ?? -1;
    const known = found.get(parent);
    if (known) known.push(index);
    else found.set(parent, [index]);
  });
  return found;
}

/** The callers of a frame from its role on, and the frame itself. */
export function pathOf(frames: readonly Frame[], index: number): number[] {
  const path: number[] = [];
  for (let at: number | null = index; at !== null && at >= 0; at = frames[at]?.parent ?? null) path.unshift(at);
  return path;
}

/** The frames below a root (-1: everything) with the root's callers above it in full width. */
export function placed(frames: readonly Frame[], children: ReadonlyMap<number, readonly number[]>, root: number): Box[] {
  const above = root < 0 ? [] : pathOf(frames, root);
  const boxes: Box[] = above.map((index, depth) => ({ index, depth, left: 0, width: 100 }));
  const whole = root < 0 ? (children.get(-1) ?? []).reduce((sum, index) => sum + total(frames, index), 0) : total(frames, root);
  if (whole === 0) return boxes;
  const waiting = [{ parent: root, depth: above.length, left: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    let left = next.left;
    for (const index of children.get(next.parent) ?? []) {
      const width = (100 * total(frames, index)) / whole;
      if (width >= NARROWEST) {
        boxes.push({ index, depth: next.depth, left, width });
        waiting.push({ parent: index, depth: next.depth + 1, left });
      }
      left += width;
    }
  }
  return boxes.sort((a, b) => a.depth - b.depth || a.left - b.left);
}

function total(frames: readonly Frame[], index: number): number {
  return frames[index]?.total ?? 0;
}

/** The frames whose name contains a text, and the samples of those that no other match contains. */
export function matches(frames: readonly Frame[], text: string): { indices: Set<number>; samples: number } {
  const wanted = text.trim().toLowerCase();
  const indices = new Set<number>();
  const inside: boolean[] = [];
  let samples = 0;
  if (wanted === "") return { indices, samples };
  frames.forEach((frame, index) => {
    const within = frame.parent !== null && inside[frame.parent] === true;
    // The first level are roles, which are no functions.
    const found = frame.parent !== null && frame.name.toLowerCase().includes(wanted);
    if (found) indices.add(index);
    if (found && !within) samples += frame.total;
    inside[index] = within || found;
  });
  return { indices, samples };
}

/** The frame that an arrow key goes to; the same where there is none. */
export function moved(boxes: readonly Box[], frames: readonly Frame[], from: number, key: string): number {
  const own = boxes.find((box) => box.index === from);
  if (!own) return boxes[0]?.index ?? -1;
  if (key === "ArrowUp") return frames[from]?.parent ?? from;
  if (key === "ArrowDown") return boxes.find((box) => box.depth === own.depth + 1 && frames[box.index]?.parent === from)?.index ?? from;
  const row = boxes.filter((box) => box.depth === own.depth);
  const at = row.indexOf(own) + (key === "ArrowRight" ? 1 : -1);
  return row[at]?.index ?? from;
}

/** One line for each stack with samples of its own, as other tools read them: frames by `;`, then the count. */
export function folded(frames: readonly Frame[]): string {
  const stacks: string[] = [];
  return frames
    .map((frame, index) => {
      const stack = frame.parent === null ? frame.name : `${stacks[frame.parent]};${frame.name}`;
      stacks[index] = stack;
      return frame.own > 0 ? `${stack} ${frame.own}\n` : "";
    })
    .join("");
}
