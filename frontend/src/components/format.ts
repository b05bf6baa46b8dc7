/** Formats numbers, durations, times and levels for display. */
import type { Level } from "@/api/draft";
import { messages } from "@/messages";
import { languageTag } from "@/messages/language";

const t = messages("common");
const MISSING = "–";

// A formatter is many times as expensive to make as to use, and large results have thousands of numbers.
const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(`${languageTag()} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(languageTag(), options));
}

function times(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(`${languageTag()} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(languageTag(), options));
}

function kept<Format extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => Format): Format {
  const known = made.get(key) as Format | undefined;
  if (known) return known;
  const format = make();
  made.set(key, format);
  return format;
}

export function formatNumber(value: number | null | undefined, decimals = 0): string {
  if (value === null || value === undefined) return MISSING;
  return numbers({ minimumFractionDigits: decimals, maximumFractionDigits: decimals, signDisplay: "negative" }).format(value).replace("-", "−");
}

/** Three significant digits without scientific notation, for values of unknown magnitude. */
/** Formats a number in little room: "20K". */
export function formatCompact(value: number): string {
  return numbers({ notation: "compact", maximumSignificantDigits: 3 }).format(value);
}

export function formatSignificant(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  return numbers({ maximumSignificantDigits: Math.abs(value) >= 1000 ? 21 : 3, maximumFractionDigits: 0, roundingPriority: "morePrecision" }).format(
    Math.abs(value) >= 1000 ? Math.round(value) : value,
  );
}

export function formatInterval(interval: { low: number; high: number } | null | undefined, decimals = 0): string {
  if (!interval) return MISSING;
  return `${formatNumber(interval.low, decimals)} – ${formatNumber(interval.high, decimals)}`;
}

/** A ratio: "0.595×". */
export function formatRatio(ratio: number | null | undefined): string {
  return ratio === null || ratio === undefined ? MISSING : `${formatNumber(ratio, 3)}×`;
}

/** A difference with its sign: "+3.2", "−0.4". */
export function formatSigned(value: number | null | undefined, decimals = 0): string {
  const text = formatNumber(value, decimals);
  return value != null && value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** An interval of differences, both ends with their sign: "−1.2 to +3.4". */
export function formatSignedInterval(interval: { low: number; high: number } | null | undefined, decimals = 0): string {
  return interval ? t("to", { low: formatSigned(interval.low, decimals), high: formatSigned(interval.high, decimals) }) : MISSING;
}

/** A share as a percentage with up to three digits: 0.041 is "4.1 %". */
export function formatPercent(share: number | null | undefined): string {
  return share === null || share === undefined ? MISSING : `${Number((share * 100).toPrecision(share < 0.1 ? 2 : 3))} %`.replace("-", "−");
}

export function formatP(p: number | null | undefined): string {
  if (p === null || p === undefined) return MISSING;
  return p < 0.001 ? "< 0.001" : formatNumber(p, 3);
}

/** Seconds as "45 s", "3 min 20 s" or "1 h 10 min". */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return MISSING;
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) {
    const rest = whole % 60;
    return `${Math.floor(whole / 60)} min${rest ? ` ${rest} s` : ""}`;
  }
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
}

/** A time with its zone: "Nov 22, 2026, 10:30:00 GMT+1". */
export function formatTime(value: string | null | undefined): string {
  if (!value) return MISSING;
  return times({ dateStyle: "medium", timeStyle: "long", hourCycle: "h23" }).format(new Date(value));
}

export { formatTime as formatZonedTime };

/** Stored bytes in decimal units, as quotas count them: "340 kB", "1.2 GB". */
export function formatBytes(bytes: number): string {
  const steps = ["B", "kB", "MB", "GB", "TB"];
  const step = bytes < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** step).toPrecision(3))} ${steps[step]}`;
}

/** Bytes of memory in binary units, as Docker and PostgreSQL count them: "512 MiB", "7.8 GiB". */
export function formatMemory(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return MISSING;
  return bytes < 2 ** 30 ? `${formatNumber(bytes / 2 ** 20)} MiB` : `${formatNumber(bytes / 2 ** 30, 1)} GiB`;
}

/** "3 min ago", for recent times. */
export function formatAgo(value: string | null | undefined, now: number): string {
  if (!value) return MISSING;
  const seconds = Math.max(0, (now - new Date(value).getTime()) / 1000);
  if (seconds < 60) return t("justNow");
  if (seconds < 3600) return t("minutesAgo", { count: Math.floor(seconds / 60) });
  if (seconds < 86_400) return t("hoursAgo", { count: Math.floor(seconds / 3600) });
  return times({ dateStyle: "medium" }).format(new Date(value));
}

/** A level: booleans are "on" and "off", an empty text is "not set"; other YAML values are shown as JSON. */
export function formatLevel(level: Level): string {
  if (typeof level === "boolean") return level ? t("levelOn") : t("levelOff");
  if (level === "") return t("levelNotSet");
  if (typeof level === "number") return formatNumber(level);
  return typeof level === "string" ? level : (JSON.stringify(level) ?? MISSING);
}

/** A sentence in which no line ends between a number and its "%". */
export function keepPercent(text: string): string {
  return text.replaceAll(/(?<=\d) %/g, "\u00a0%");
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** An identifier as words, its unit in brackets: "warm_up_s" → "warm up (s)". */
export function humanize(name: string): string {
  return name.replace(/_(s|ms|us|ns)$/, " ($1)").replaceAll("_", " ");
}

/** Returns the name of a hop for readers: the API names the link between two hosts "wire". */
export function hopLabel(hop: string): string {
  return hop === "wire" ? t("hopLink") : hop;
}

export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
