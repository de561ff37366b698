// SPDX-License-Identifier: Apache-2.0
// Faults of a playlist body that a JSON schema cannot express: fields that require or exclude each other. Accepts any value
// and ignores wrong types, so that it can run next to the schema and all faults are reported at once.
import { type FieldError, fieldError } from '../errors.ts';
import { type Fields, fieldsOf } from './fieldsOf.ts';
import { timeFaults } from './isIsoTime.ts';
import { labelFaults } from './labels.ts';
import { POST_ROLL } from './playlist.ts';
import { urlFaults } from './urlFaults.ts';

const MOST_SECONDS = 1_000_000;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function sourceFaults({ sourceType, url }: Fields, path: string): FieldError[] {
  if (sourceType === 'url' && url === undefined)
    return [fieldError('required', `${path}/url`, 'is required when sourceType is "url"', { missingProperty: 'url' })];
  if (sourceType !== 'placeholder' || url === undefined) return urlFaults(url, `${path}/url`);
  const message = 'is allowed only when sourceType is "url"; a placeholder gets its URL when the playlist is retrieved';
  return [fieldError('placeholder', `${path}/url`, message)];
}

/** @param path of the list */
export function positionFaults(cuePoints: unknown, path: string, spliceType?: unknown): FieldError[] {
  return listOf(cuePoints).flatMap((cue, index) => {
    const at = fieldsOf(cue).spliceTime;
    const itsPath = `${path}/${index}/spliceTime`;
    // The schema reports what is below −1.
    if (typeof at === 'number' && at > POST_ROLL && at < 0)
      return [fieldError('minimum', itsPath, `must be at least 0, or -1 for a post-roll; got ${at}`, { limit: 0 })];
    if (typeof at !== 'number' || spliceType !== 'percent' || at <= 100) return [];
    const message = `must be at most 100 when spliceType is "percent"; got ${at}`;
    return [fieldError('maximum', itsPath, message, { limit: 100 })];
  });
}

/** Applies the schema's limits for numbers to a number written as a string. */
function durationFaults({ duration }: Fields, path: string): FieldError[] {
  if (typeof duration !== 'string' || !/^\d{1,7}(\.\d{1,9})?$/.test(duration)) return [];
  if (Number(duration) > 0 && Number(duration) <= MOST_SECONDS) return [];
  const message = `must be more than 0 and at most ${MOST_SECONDS}; got "${duration.slice(0, 60)}"`;
  return [fieldError('range', `${path}/duration`, message)];
}

/** @param body the request body, of any type */
export function playlistFaults(body: unknown): FieldError[] {
  const { startDate, contents, labels } = fieldsOf(body);
  const items = listOf(contents).flatMap((item, index) => {
    const path = `/contents/${index}`;
    const { spliceType, cuePoints } = fieldsOf(item);
    return [
      ...[sourceFaults, durationFaults].flatMap((faultsOf) => faultsOf(fieldsOf(item), path)),
      ...positionFaults(cuePoints, `${path}/cuePoints`, spliceType),
    ];
  });
  return [...timeFaults(startDate, '/startDate'), ...items, ...labelFaults(labels, '/labels')];
}
