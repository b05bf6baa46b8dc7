/** Returns the number of decimals that distinguishes neighbouring ticks. */
export function tickDecimals(ticks: readonly number[]): number {
  const [first, second] = ticks;
  if (first === undefined || second === undefined || first === second) return 0;
  return Math.max(0, -Math.floor(Math.log10(Math.abs(second - first)) + 1e-9));
}

/** Returns at most `count` + 1 round tick values in a domain, in steps of 1, 2 or 5. */
export function niceTicks([low, high]: readonly [number, number], count = 5): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999) ?? 10 * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
