import { useMemo, useState } from "react";
import type { CellProfile } from "@/api/generated";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { ROLES, roleColor, type RoleName } from "@/theme/palette";
import { roleName } from "@/charts/roleNames";
import styles from "./FlameGraph.module.css";
import { childrenOf, moved, pathOf, placed } from "./flameLayout";

const t = messages("flame");
const ROW = 18;
/** The least width, in percent, of a frame with its name. */
const NAMED = 2.5;

interface Props {
  profile: CellProfile;
  /** The frame that fills the width; -1: everything. */
  root: number;
  onRoot: (index: number) => void;
  matching: ReadonlySet<number>;
}

/** The frames of a profile as boxes. Arrow keys move, Enter fills the width with a frame, Escape goes back up. */
export function FlameGraph({ profile, root, onRoot, matching }: Props) {
  const { frames } = profile;
  const children = useMemo(() => childrenOf(frames), [frames]);
  const boxes = useMemo(() => placed(frames, children, root), [frames, children, root]);
  const [chosen, setChosen] = useState(-1);
  const current = boxes.some((box) => box.index === chosen) ? chosen : (boxes[0]?.index ?? -1);
  const depth = boxes.reduce((most, box) => Math.max(most, box.depth + 1), 1);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key.startsWith("Arrow")) setChosen(moved(boxes, frames, current, event.key));
    else if (event.key === "Enter") onRoot(current);
    else if (event.key === "Escape" && root >= 0) onRoot(frames[root]?.parent ?? -1);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles.scroll}>
        <svg
          className={styles.graph}
          height={depth * ROW}
          role="tree"
          aria-label={t("graph")}
          tabIndex={0}
          aria-activedescendant={current < 0 ? undefined : `frame-${current}`}
          onKeyDown={onKeyDown}
        >
          {boxes.map(({ index, depth: level, left, width }) => (
            <g
              key={index}
              id={`frame-${index}`}
              role="treeitem"
              aria-level={level + 1}
              aria-selected={index === current}
              aria-label={described(profile, index)}
              className={[index === current && styles.current, matching.has(index) && styles.match].filter(Boolean).join(" ") || undefined}
              onClick={() => {
                setChosen(index);
                onRoot(index);
              }}
              onMouseEnter={() => setChosen(index)}
            >
              <rect className={styles.box} x={`${left}%`} y={level * ROW} width={`${width}%`} height={ROW} fill={`color-mix(in srgb, ${paint(profile, index)} 28%, var(--surface))`} />
              {width >= NAMED && (
                <svg x={`${left}%`} y={level * ROW} width={`${width}%`} height={ROW} aria-hidden="true">
                  <text className={styles.name} x={4} y={13}>{shownName(profile, index)}</text>
                </svg>
              )}
            </g>
          ))}
        </svg>
      </div>
      <p className={styles.detail}>{current >= 0 && described(profile, current)}</p>
    </>
  );
}

function isRole(name: string): name is RoleName {
  return ROLES.some(({ role }) => role === name);
}

/** The name of a frame; the first level are roles. */
export function shownName({ frames }: CellProfile, index: number): string {
  const frame = frames[index];
  if (!frame) return "";
  return frame.parent === null && isRole(frame.name) ? roleName(frame.name) : frame.name;
}

function paint({ frames }: CellProfile, index: number): string {
  const role = frames[pathOf(frames, index)[0] ?? -1]?.name ?? "other";
  return roleColor(isRole(role) ? role : "other");
}

function described(profile: CellProfile, index: number): string {
  const frame = profile.frames[index];
  if (!frame) return "";
  const share = (samples: number) => formatNumber((100 * samples) / Math.max(1, profile.samples), 1);
  return t("frame", { name: shownName(profile, index), total: formatNumber(frame.total), share: share(frame.total), own: share(frame.own) });
}
