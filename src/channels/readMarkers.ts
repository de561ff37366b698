// SPDX-License-Identifier: Apache-2.0
// Parses the `markers` parameter of the generate route: `<seconds>,<maxAds>,<maxDuration>;…`
import { type FieldError, fieldError } from '../errors.ts';
import { type CuePoint, POST_ROLL } from './playlist.ts';

const decimal = /^\d{1,7}(\.\d{1,9})?$/;
const whole = /^\d{1,4}$/;
const MOST_SECONDS = 1_000_000;
const LONGEST_BREAK = 86_400;
const MOST_MARKERS = 500;

function readMarker(text: string): CuePoint | string {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== 3) return 'expected three numbers';
  const [at, maxAds, maxDuration] = parts as [string, string, string];
  if (at !== String(POST_ROLL) && (!decimal.test(at) || Number(at) > MOST_SECONDS))
    return 'seconds must be a number from 0 to 1000000, or -1 for a post-roll';
  if (!whole.test(maxAds) || Number(maxAds) < 1 || Number(maxAds) > 1000)
    return 'maxAds must be a whole number from 1 to 1000';
  if (!decimal.test(maxDuration) || Number(maxDuration) <= 0 || Number(maxDuration) > LONGEST_BREAK)
    return 'maxDuration must be a number of seconds, more than 0 and at most 86400';
  return { spliceTime: Number(at), maxAds: Number(maxAds), maxDuration: Number(maxDuration) };
}

/** @returns the cue points in the given order, and a fault for each invalid marker */
export function readMarkers(text: string): { cuePoints: CuePoint[]; faults: FieldError[] } {
  const markers = text.split(';');
  // A list may end with its separator.
  if (markers.at(-1)?.trim() === '') markers.pop();
  const cuePoints: CuePoint[] = [];
  const faults: FieldError[] = [];
  if (markers.length > MOST_MARKERS) {
    const message = `must have at most ${MOST_MARKERS} markers; got ${markers.length}`;
    return { cuePoints, faults: [fieldError('maxItems', '/markers', message, { limit: MOST_MARKERS })] };
  }
  for (const [index, marker] of markers.entries()) {
    const read = readMarker(marker);
    if (typeof read !== 'string') cuePoints.push(read);
    else {
      const message = `must be <seconds>,<maxAds>,<maxDuration>: ${read}; got ${JSON.stringify(marker.slice(0, 60))}`;
      faults.push(fieldError('marker', `/markers/${index}`, message));
    }
  }
  return { cuePoints, faults };
}
