// SPDX-License-Identifier: Apache-2.0
// An order of a pod in which no two neighbours are competitors.

/** `isInSequence`: it has a place in an ad server's pod. */
type Placed = { readonly isInSequence: boolean };

/** Ads that are placed or taken back before the search is given up. */
const MAX_TRIALS = 2000;

/**
 * Ads with a sequence keep their order, and no ad moves in front of one that it follows. Of the possible orders it is the one in
 * which the first ads keep their places, as many as possible. Ads that compete with the same others are interchangeable, so few
 * orders are tried.
 * @param pod in the order in which they would be shown
 * @param competes symmetric
 * @returns undefined if there is no such order, or if none was found in MAX_TRIALS steps
 */
export function arrange<Ad extends Placed>(
  pod: readonly Ad[],
  competes: (a: Ad, b: Ad) => boolean,
): readonly Ad[] | undefined {
  if (!pod.some((ad, index) => index > 0 && competes(ad, pod[index - 1] as Ad))) return pod;
  const rows = pod.map((ad) => pod.map((other) => competes(ad, other)));
  const apart = (a: number, b: number): boolean => rows[a]?.[b] !== true;
  const kinds = rows.map((row) => row.map(Number).join(''));
  const order: number[] = [];
  const isLeft = pod.map(() => true);
  let trials = 0;

  /** Whether no kind of competitors is more than every second one of the ads that are left. */
  const canAlternate = (): boolean => {
    const counts = new Map<string, number>();
    const last = order.at(-1);
    const count = pod.length - order.length;
    return pod.every((_, ad) => {
      const kind = kinds[ad] ?? '';
      if (isLeft[ad] !== true || apart(ad, ad)) return true;
      const number = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, number);
      return number <= Math.ceil((last === undefined || apart(last, ad) ? count : count - 1) / 2);
    });
  };

  const search = (): boolean => {
    if (order.length === pod.length) return true;
    if (!canAlternate()) return false;
    const last = order.at(-1);
    const nextInSequence = pod.findIndex((ad, index) => ad.isInSequence && isLeft[index] === true);
    const tried = new Set<string>();
    for (let ad = 0; ad < pod.length; ad += 1) {
      if (nextInSequence >= 0 && ad > nextInSequence) return false;
      const kind = `${kinds[ad]} ${pod[ad]?.isInSequence}`;
      if (isLeft[ad] !== true || tried.has(kind) || (last !== undefined && !apart(last, ad))) continue;
      trials += 1;
      if (trials > MAX_TRIALS) return false;
      tried.add(kind);
      order.push(ad);
      isLeft[ad] = false;
      if (search()) return true;
      order.pop();
      isLeft[ad] = true;
    }
    return false;
  };

  return search() ? order.map((ad) => pod[ad] as Ad) : undefined;
}
