// SPDX-License-Identifier: Apache-2.0
// Assertions. One that fails is a defect of Midroll: it is logged as an error with its stack, counted in
// midroll_invariant_failures_total, and never reported as a fault of an origin, an ad server or a client.

export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** @param what the law that does not hold, in words: `a window has at least one span` @throws {InvariantError} */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new InvariantError(`Defect in Midroll: ${what}`);
}

/** @param what the law that does not hold, in words @throws {InvariantError} if the value is null or undefined */
export function defined<Value>(value: Value, what: string): NonNullable<Value> {
  invariant(value !== undefined && value !== null, what);
  return value;
}

/** Whether the error, or one of its causes, is an assertion that failed. */
export function isInvariantError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof InvariantError) return true;
  return false;
}

/** A list that has a first element. */
export type NonEmpty<Value> = readonly [Value, ...Value[]];

export const isNonEmpty = <Value>(values: readonly Value[]): values is NonEmpty<Value> => values.length > 0;

/** In the order in which the keys appear first. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The last element of a list that has one. */
export const lastOf = <Value>(values: NonEmpty<Value>): Value => values[values.length - 1] as Value;

type WithoutUndefined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that have a value: a field that may be absent must not be undefined. */
export function withoutUndefined<T extends object>(values: T): WithoutUndefined<T> {
  const kept: WithoutUndefined<T> = {};
  for (const key in values) if (values[key] !== undefined) kept[key] = values[key] as Exclude<T[typeof key], undefined>;
  return kept;
}
