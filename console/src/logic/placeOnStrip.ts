// Where things stand on a strip of time, in per cent of what is shown.

export type Placed = { readonly left: number; readonly width: number };

/** @param shown milliseconds from one end of the strip to the other @returns undefined where nothing of it is in sight */
export function placeOnStrip(startsAt: number, seconds: number, from: number, shown: number): Placed | undefined {
  const start = Math.max(startsAt, from);
  const end = Math.min(startsAt + seconds * 1000, from + shown);
  if (end <= start) return undefined;
  return { left: ((start - from) / shown) * 100, width: ((end - start) / shown) * 100 };
}

const steps = [10, 30, 60, 300, 600, 1800, 3600].map((seconds) => seconds * 1000);

/** Round times in sight, about eight of them. */
export function marksOn(from: number, shown: number): number[] {
  const step = steps.find((each) => shown / each <= 9) ?? steps.at(-1)!;
  const first = Math.ceil(from / step) * step;
  const count = Math.max(0, Math.ceil((from + shown - first) / step));
  return Array.from({ length: count }, (_, index) => first + index * step);
}
