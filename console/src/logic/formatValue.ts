// Numbers of reports as people read them.

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

const round = (value: number, places: number): string =>
  value.toLocaleString('en-GB', { maximumFractionDigits: places });

/** @param unit as a report names it: `ratio` is shown as per cent, `bytes` in the size that fits */
export function formatValue(value: number, unit: string): string {
  if (unit === 'ratio') return `${round(value * 100, 1)} %`;
  if (unit === 'bytes') return formatBytes(value);
  const text = round(value, Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
  return unit === 's' || unit === 'ms' ? `${text} ${unit}` : text;
}

/** `secondsFilled` → `Seconds filled`; `latencyP95` → `Latency P95`; `BREAK_FULL` → `Break full`. */
export const nameOfField = (name: string): string => {
  if (/^[A-Z_]+$/.test(name)) return name[0]! + name.slice(1).toLowerCase().replaceAll('_', ' ');
  const words = name.replace(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  const text = words.replaceAll('-', ' ').replace(/\bp(\d\d)\b/g, 'P$1');
  return text[0]!.toUpperCase() + text.slice(1);
};

/** A line is a field, or a key that stands as it is. */
export const nameOfLine = (name: string, { isByKey = false }: { readonly isByKey?: boolean }): string =>
  isByKey && !/^[A-Z_]+$/.test(name) ? name : nameOfField(name);
