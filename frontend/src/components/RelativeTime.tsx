import { formatAgo, formatZonedTime } from "./format";

/** A time as "3 min ago", with date, time and zone as its title. */
export function RelativeTime({ value, now }: { value: string; now: number }) {
  return (
    <time dateTime={value} title={formatZonedTime(value)}>
      {formatAgo(value, Math.max(now, Date.parse(value)))}
    </time>
  );
}
