/**
 * Returns the known value where the new one is equal, else the new one.
 *
 * In place of structural sharing for large answers: that copies what is equal of them, at each answer.
 */
export function knownIfEqual(known: unknown, next: unknown): unknown {
  return isEqual(known, next) ? known : next;
}

/** Whether two values of JSON are equal; ends at the first difference. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => name in other && isEqual(one[name as never], other[name as never]));
}
