// SPDX-License-Identifier: Apache-2.0
// The ads of the demo's ad server, and which viewer gets which. Viewers are numbered in the order of their first request,
// so that consecutive viewers never get the same first ad.

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

const MAX_VIEWERS = 10_000;

/** The same viewer gets the same ads for the same break, and other ads for the next one. */
export function createChooser(): Chooser {
  const viewers = new Map<string, { number: number; breakId: string; breaks: number }>();
  let count = 0;
  return (viewer, breakId, seconds, maxAds) => {
    const known = viewers.get(viewer) ?? { number: count++, breakId, breaks: 0 };
    const breaks = known.breaks + (known.breakId === breakId ? 0 : 1);
    viewers.delete(viewer);
    viewers.set(viewer, { ...known, breakId, breaks });
    if (viewers.size > MAX_VIEWERS) viewers.delete(viewers.keys().next().value!);
    const first = (known.number + breaks) % advertisements.length;
    const inOrder = [...advertisements.slice(first), ...advertisements.slice(0, first)];
    const chosen: Advertisement[] = [];
    let remaining = seconds;
    for (const ad of inOrder) {
      if (ad.seconds > remaining + 0.25 || chosen.length >= maxAds) continue;
      chosen.push(ad);
      remaining -= ad.seconds;
    }
    return chosen;
  };
}
