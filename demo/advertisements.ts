// What the demo's ad server has to show, and who sees what. Viewers are numbered as they come, so that two who come one
// after the other never see the same ad first.

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

export type Chooser = (viewer: string, breakId: string, seconds: number, most: number) => Advertisement[];

const MOST_VIEWERS = 10_000;

/** A chooser that gives the same viewer in the same break the same ads, and other ads in the next break. */
export function createChooser(): Chooser {
  const viewers = new Map<string, { number: number; breakId: string; breaks: number }>();
  let count = 0;
  return (viewer, breakId, seconds, most) => {
    const known = viewers.get(viewer) ?? { number: count++, breakId, breaks: 0 };
    const breaks = known.breaks + (known.breakId === breakId ? 0 : 1);
    viewers.delete(viewer);
    viewers.set(viewer, { ...known, breakId, breaks });
    if (viewers.size > MOST_VIEWERS) viewers.delete(viewers.keys().next().value!);
    const first = (known.number + breaks) % advertisements.length;
    const inOrder = [...advertisements.slice(first), ...advertisements.slice(0, first)];
    const chosen: Advertisement[] = [];
    let rest = seconds;
    for (const ad of inOrder) {
      if (ad.seconds > rest + 0.25 || chosen.length >= most) continue;
      chosen.push(ad);
      rest -= ad.seconds;
    }
    return chosen;
  };
}
