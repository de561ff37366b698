// What no schema can say of a playlist that is written: fields that need or exclude each other. Looks at any value and
// stays silent where a type is wrong, so that it can be asked together with the schema and all faults are named at once.
import { type FieldError, fieldError } from '../errors.ts';
import { type Fields, fieldsOf } from './fieldsOf.ts';
import { isHttpUrl } from './isHttpUrl.ts';
import { isIsoTime } from './isIsoTime.ts';

const MOST_SECONDS = 1_000_000;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function urlFaults({ sourceType, url }: Fields, path: string): FieldError[] {
  if (sourceType === 'url' && url === undefined)
    return [fieldError('required', `${path}/url`, 'is required when sourceType is "url"', { missingProperty: 'url' })];
  if (sourceType === 'placeholder' && url !== undefined)
    return [
      fieldError(
        'placeholder',
        `${path}/url`,
        'belongs to sourceType "url" only; a placeholder gets its URL on retrieval',
      ),
    ];
  if (typeof url === 'string' && !isHttpUrl(url))
    return [fieldError('url', `${path}/url`, `must be an http or https URL; got ${JSON.stringify(url.slice(0, 100))}`)];
  return [];
}

function percentFaults({ spliceType, cuePoints }: Fields, path: string): FieldError[] {
  if (spliceType !== 'percent') return [];
  return listOf(cuePoints).flatMap((cue, index) => {
    const at = fieldsOf(cue).spliceTime;
    if (typeof at !== 'number' || at <= 100) return [];
    const message = `must be at most 100 when spliceType is "percent"; got ${at}`;
    return [fieldError('maximum', `${path}/cuePoints/${index}/spliceTime`, message, { limit: 100 })];
  });
}

/** A number has its limits in the schema; text that is one has the same. */
function durationFaults({ duration }: Fields, path: string): FieldError[] {
  if (typeof duration !== 'string' || !/^\d{1,7}(\.\d{1,9})?$/.test(duration)) return [];
  if (Number(duration) > 0 && Number(duration) <= MOST_SECONDS) return [];
  const message = `must be more than 0 and at most ${MOST_SECONDS}; got "${duration.slice(0, 60)}"`;
  return [fieldError('range', `${path}/duration`, message)];
}

/** @param body a playlist as it came, of whatever type */
export function playlistFaults(body: unknown): FieldError[] {
  const { startDate, contents } = fieldsOf(body);
  const dates =
    typeof startDate === 'string' && !isIsoTime(startDate)
      ? [fieldError('date-time', '/startDate', 'must be a date and time with a zone, e.g. "2026-03-01T20:15:00Z"')]
      : [];
  const items = listOf(contents).flatMap((item, index) => {
    const path = `/contents/${index}`;
    return [urlFaults, durationFaults, percentFaults].flatMap((faultsOf) => faultsOf(fieldsOf(item), path));
  });
  return [...dates, ...items];
}
