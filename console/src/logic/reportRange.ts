// Which stretch of time a report is asked for.
export type Range = { readonly start: number; readonly end: number };
export const presets = {
  quarter: ['Last 15 minutes', 900_000],
  hour: ['Last hour', 3_600_000],
  day: ['Last 24 hours', 86_400_000],
  week: ['Last 7 days', 604_800_000],
} as const;
export type Preset = keyof typeof presets;

export const intervals: readonly (readonly [ms: string, text: string])[] = [
  ['', 'Automatic'],
  ['60000', '1 minute'],
  ['300000', '5 minutes'],
  ['3600000', '1 hour'],
  ['86400000', '1 day'],
];

/** @param now milliseconds */
export const lately = (preset: Preset, now: number): Range => ({ start: now - presets[preset][1], end: now });

/** `2026-03-01T20:15`, as a browser's field has it, where the reader is. */
export function toLocal(time: number): string {
  const date = new Date(time);
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
/** undefined for what is no time, and for a year that is still being typed. */
export function fromLocal(text: string): number | undefined {
  const time = new Date(text).getTime();
  return /^[12]\d{3}-/.test(text) && !Number.isNaN(time) ? time : undefined;
}

export const dayBefore = ({ start, end }: Range): Range => ({ start: start - 86_400_000, end: end - 86_400_000 });

/** Both ends in whole milliseconds: above 1e11 the interface reads them as such. */
export function reportQuery({ start, end }: Range, interval: string, channel: string, by = ''): string {
  const query = new URLSearchParams({ start: String(Math.round(start)), end: String(Math.round(end)) });
  if (interval !== '') query.set('interval', interval);
  if (channel !== '') query.set('channel', channel);
  if (by !== '') query.set('by', by);
  return query.toString();
}
