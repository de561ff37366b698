// SPDX-License-Identifier: Apache-2.0
// The ads of the demo's ad server, and which viewer gets which. Viewers of the same break get different pods, as long as there
// are enough, and each viewer gets another first ad in the next break.

export type Advertisement = {
  readonly id: string;
  readonly title: string;
  readonly seconds: number;
};

export const advertisements: readonly Advertisement[] = [
  { id: 'coffee', title: 'Coffee', seconds: 10 },
  { id: 'bicycles', title: 'Bicycles', seconds: 15 },
  { id: 'islands', title: 'Islands', seconds: 10 },
  { id: 'lamps', title: 'Lamps', seconds: 15 },
];

export type Chooser = (viewer: string, breakId: string, seconds: number, maxAds: number) => Advertisement[];

/** The first ads of new viewers, in turn. Pods whose first ads are two apart never show the same ad at the same time. */
const FIRST = [0, 2, 1, 3];
/** Viewers, and breaks, that are remembered. */
const MAX_REMEMBERED = 10_000;

function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): Value {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_REMEMBERED) map.delete(map.keys().next().value!);
  return value;
}

const lengthOf = (pod: readonly Advertisement[]): number => pod.reduce((sum, { seconds }) => sum + seconds, 0);
const longestOf = (pods: readonly Advertisement[][]): Advertisement[] =>
  pods.reduce((best, pod) => (lengthOf(pod) > lengthOf(best) ? pod : best), []);

/** The longest pod of these ads, in this order, with the first one if it fits. */
function longestPod([first, ...others]: readonly Advertisement[], seconds: number, maxAds: number): Advertisement[] {
  if (first === undefined || maxAds === 0) return [];
  if (first.seconds > seconds + 0.25) return longestPod(others, seconds, maxAds);
  const tails = others.map((_, index) => longestPod(others.slice(index), seconds - first.seconds, maxAds - 1));
  return [first, ...longestOf(tails)];
}

/** The longest pod that begins with this ad. */
const podFrom = (first: number, seconds: number, maxAds: number): Advertisement[] =>
  longestPod([...advertisements.slice(first), ...advertisements.slice(0, first)], seconds, maxAds);

/** The same viewer gets the same first ad in the same break. */
export function createChooser(): Chooser {
  /** The first ad of each viewer's latest break. */
  const viewers = new Map<string, { readonly breakId: string; readonly first: number }>();
  /** The pods that viewers got in each break. */
  const breaks = new Map<string, readonly string[]>();
  let next = 0;

  return (viewer, breakId, seconds, maxAds) => {
    const latest = viewers.get(viewer);
    if (latest?.breakId === breakId) return podFrom(latest.first, seconds, maxAds);
    const given = breaks.get(breakId) ?? [];
    const from = latest === undefined ? FIRST[next++ % FIRST.length]! : latest.first + 1;
    const pods = advertisements
      .map((_, index) => (from + index) % advertisements.length)
      .filter((index) => index !== latest?.first)
      .map((index) => {
        const pod = podFrom(index, seconds, maxAds);
        const name = pod.map(({ id }) => id).join(' ');
        return { index, pod, name, times: given.filter((other) => other === name).length };
      });
    // A pod that leaves slate is chosen only if each one does.
    const length = Math.max(...pods.map(({ pod }) => lengthOf(pod)));
    const [first, ...others] = pods.filter(({ pod }) => lengthOf(pod) === length);
    const chosen = others.reduce((best, other) => (other.times < best.times ? other : best), first!);
    remember(viewers, viewer, { breakId, first: chosen.index });
    remember(breaks, breakId, [...given, chosen.name].slice(-MAX_REMEMBERED));
    return chosen.pod;
  };
}
