// Times and lengths as operators read them.

const two = (value: number): string => String(value).padStart(2, '0');

/** `1:05`, `12:30`, `1:02:03`; tenths where asked for. @param seconds 0 or more */
export function formatLength(seconds: number, tenths = false): string {
  const factor = tenths ? 10 : 1;
  const whole = Math.round(seconds * factor) / factor;
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = whole % 60;
  const text = tenths ? rest.toFixed(1).padStart(4, '0') : two(rest);
  return hours > 0 ? `${hours}:${two(minutes)}:${text}` : `${minutes}:${text}`;
}

/** `25 s`, `1 min 5 s`, `2 h 4 min`. @param seconds 0 or more */
export function sayLength(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return rest > 0 ? `${minutes} min ${rest} s` : `${minutes} min`;
}

/** `just now`, `5 s ago`, `in 2 min`. @param difference milliseconds from now, negative for the past */
export function sayDistance(difference: number): string {
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (seconds < 2) return 'now';
  const amount =
    seconds < 90
      ? `${seconds} s`
      : seconds < 5400
        ? `${Math.round(seconds / 60)} min`
        : seconds < 129_600
          ? `${Math.round(seconds / 3600)} h`
          : `${Math.round(seconds / 86_400)} d`;
  return difference < 0 ? `${amount} ago` : `in ${amount}`;
}

/** Of the day, where the reader is. @param time ISO 8601 or milliseconds */
export const formatClock = (time: string | number): string =>
  new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

export const formatDate = (time: string | number): string =>
  new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** On an axis: the time of day, and at midnight which day begins. @param time milliseconds */
export function formatTick(time: number): string {
  const date = new Date(time);
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
  return isMidnight
    ? date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    : date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
