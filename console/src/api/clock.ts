// What time it is where the channels are: a computer whose clock is off would show the wrong thing as on air.
let offset = 0;

/** The Date header is exact to a second, so less than two is no difference. */
export function noteServerDate(header: string | null): void {
  const date = Date.parse(header ?? '');
  if (Number.isNaN(date)) return;
  const difference = date + 500 - Date.now();
  offset = Math.abs(difference) < 2000 ? 0 : difference;
}

/** Milliseconds since 1970. */
export const serverNow = (): number => Date.now() + offset;
