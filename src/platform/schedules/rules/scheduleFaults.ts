// SPDX-License-Identifier: Apache-2.0
// Faults of a schedule that its schema cannot express. Accepts any value and ignores wrong types, so that it can run next to the
// schema and all faults are reported at once.
import { type Fields, fieldsOf } from '../../../channels/fieldsOf.ts';
import { isIsoTime } from '../../../channels/isIsoTime.ts';
import { positionFaults } from '../../../channels/playlistFaults.ts';
import { bumperFaults, urlFaults } from '../../../channels/urlFaults.ts';
import { type FieldError, fieldError } from '../../../errors.ts';
import { ruleFaults } from '../../../scheduling/ruleFaults.ts';
import { upidFaults } from './upidFaults.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Of an entry, or of an entry of a rule. */
export function entryFaults(entry: Fields, path: string): FieldError[] {
  const { start, source, breaks, bumpers, images, upid } = entry;
  const { url, in: from, out, live } = fieldsOf(source);
  const { sourceManifestUrl, backupManifestUrls, plannedDuration, maxDuration, endedAt } = fieldsOf(live);
  const faults = [...urlFaults(url, `${path}/source/url`)];
  faults.push(...urlFaults(sourceManifestUrl, `${path}/source/live/sourceManifestUrl`));
  listOf(backupManifestUrls).forEach((backup, index) => {
    faults.push(...urlFaults(backup, `${path}/source/live/backupManifestUrls/${index}`));
  });
  if (typeof plannedDuration === 'number' && typeof maxDuration === 'number' && maxDuration < plannedDuration)
    faults.push(
      fieldError(
        'order',
        `${path}/source/live/maxDuration`,
        `must be at least "plannedDuration" (${plannedDuration}); got ${maxDuration}`,
      ),
    );
  if (typeof endedAt === 'string' && !isIsoTime(endedAt))
    faults.push(
      fieldError(
        'format',
        `${path}/source/live/endedAt`,
        `must be ISO 8601 with a time zone; got ${JSON.stringify(endedAt)}`,
      ),
    );
  if (typeof start === 'string' && !isIsoTime(start)) {
    const message = `must be ISO 8601 with a time zone, such as 2026-12-01T18:00:00Z; got ${JSON.stringify(start.slice(0, 60))}`;
    faults.push(fieldError('format', `${path}/start`, message));
  }
  if (typeof from === 'number' && typeof out === 'number' && out <= from)
    faults.push(fieldError('order', `${path}/source/out`, `must be more than "in" (${from}); got ${out}`));
  listOf(images).forEach((image, index) => {
    faults.push(...urlFaults(fieldsOf(image).url, `${path}/images/${index}/url`));
  });
  faults.push(...bumperFaults(bumpers, `${path}/bumpers`), ...upidFaults(upid, `${path}/upid`));
  return [...faults, ...positionFaults(breaks, `${path}/breaks`)];
}

function sameIds(entries: readonly unknown[], path: string): FieldError[] {
  const first = new Map<unknown, number>();
  return entries.flatMap((entry, index) => {
    const { id } = fieldsOf(entry);
    const known = first.get(id);
    if (known === undefined) first.set(id, index);
    if (typeof id !== 'string' || known === undefined) return [];
    return [fieldError('unique', `${path}/${index}/id`, `must be unique; entry ${known} has the id "${id}", too`)];
  });
}

/** Rules expand on each of their days, so what a day can have is bounded here. */
const MAX_RULE_ENTRIES = 2000;

function tooManyEntries(rules: readonly unknown[]): FieldError[] {
  const count = rules.reduce<number>((sum, rule) => sum + listOf(fieldsOf(rule).entries).length, 0);
  if (count <= MAX_RULE_ENTRIES) return [];
  const message = `must have at most ${MAX_RULE_ENTRIES} entries together; got ${count}`;
  return [fieldError('maxItems', '/rules', message, { limit: MAX_RULE_ENTRIES })];
}

/** @param value a whole schedule, or a patch: of its entries, what is given is checked */
export function scheduleFaults(value: unknown): FieldError[] {
  const { entries, rules } = fieldsOf(value);
  const rulesOf = listOf(rules);
  return [
    ...sameIds(listOf(entries), '/entries'),
    ...listOf(entries).flatMap((entry, index) => entryFaults(fieldsOf(entry), `/entries/${index}`)),
    ...sameIds(rulesOf, '/rules'),
    ...tooManyEntries(rulesOf),
    ...rulesOf.flatMap((rule, index) => [
      ...ruleFaults(rule, `/rules/${index}`),
      ...listOf(fieldsOf(rule).entries).flatMap((entry, at) =>
        entryFaults(fieldsOf(entry), `/rules/${index}/entries/${at}`),
      ),
    ]),
  ];
}
