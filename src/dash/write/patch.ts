// SPDX-License-Identifier: Apache-2.0
// MPD patches (ISO/IEC 23009-1 5.15): the operations that change the Periods of one MPD into those of a later one, the documents, and
// where players get them.

import { defined } from '../../invariant.ts';
import { isoText, type Millis, millis } from '../../time/units.ts';
import { element, utf8Bytes, xmlDeclaration } from '../../xml/write.ts';
import type { Periods } from './periods.ts';

type PeriodText = { readonly id: string; readonly text: string };

const PERIOD_END = '\n</Period>';

/** @param periods on separate lines */
const splitPeriods = (periods: string): PeriodText[] =>
  periods
    .split(`${PERIOD_END}\n`)
    .map((text, index, all) => (index < all.length - 1 ? text + PERIOD_END : text))
    .map((text) => ({ id: /^<Period id="([^"]*)"/.exec(text)?.[1] ?? '', text }));

/** Ids that dash.js 5.2 and Shaka Player 5.2 find in an XPath. */
const isPlain = ({ id }: PeriodText): boolean => /^[\w.:-]+$/.test(id);

const pathOf = ({ id }: PeriodText): string => `/MPD/Period[@id='${id}']`;

/** Undefined if more than its time lines has changed. */
function changesIn(before: PeriodText, now: PeriodText): string[] | undefined {
  if (before.text === now.text) return [];
  const known = readTimelines(before.text);
  const next = readTimelines(now.text);
  if (known.rest !== next.rest) return undefined;
  return known.timelines.flatMap((timeline, index) =>
    timelineChanges(pathOf(now), timeline, defined(next.timelines[index], 'equal Periods have as many time lines')),
  );
}

/** Shaka Player 5.2 also removes Periods whose ids begin with that of a removed one. */
const isBeginning = ({ id }: PeriodText, others: readonly PeriodText[]): boolean =>
  others.some((other) => other.id !== id && other.id.startsWith(id));

/**
 * @param before the Periods that the player has
 * @returns one operation for each element; undefined if the player has to read the whole MPD
 */
export function periodChanges(before: Periods, now: Periods): readonly string[] | undefined {
  // Shaka Player 5.2 cannot patch a SegmentList.
  if (before.hasLists || now.hasLists) return undefined;
  const [known, next] = [splitPeriods(before.text), splitPeriods(now.text)];
  const gone = known.findIndex(({ id }) => id === next[0]?.id);
  const staying = known.slice(gone);
  const isContinued = gone >= 0 && staying.every(({ id }, index) => id === next[index]?.id);
  const all = [...known, ...next.slice(staying.length)];
  if (!isContinued || !all.every(isPlain)) return undefined;
  const removed = known.slice(0, gone);
  if (removed.some((period) => isBeginning(period, all))) return undefined;
  const changes = removed.map((period) => `<remove sel="${pathOf(period)}" ws="before"/>`);
  for (const [index, period] of staying.entries()) {
    const later = next[index];
    const within = later && changesIn(period, later);
    if (within === undefined) return undefined;
    changes.push(...within);
  }
  // Not at the end of the MPD: UTCTiming follows the Periods (5.3.1.3).
  const added = next.slice(staying.length).map(({ text }) => `\n${text}`);
  const last = staying.at(-1);
  if (last !== undefined && added.length > 0)
    changes.push(`<add sel="${pathOf(last)}" pos="after">${added.join('')}</add>`);
  return changes;
}

// The operations (RFC 5261 §4) that change one time line into another. dash.js 5.2 and Shaka Player 5.2 apply few forms: whole S
// elements by position, because dash.js would read a replaced attribute as text, and attributes of the SegmentTemplate.

const numberIn = (run: string, name: string): number | undefined => {
  const found = new RegExp(` ${name}="(\\d+)"`).exec(run);
  return found === null ? undefined : Number(found[1]);
};

/** How many S elements have left at the front. Any number is correct; this one leads to the fewest operations. */
function countGone(runs: readonly string[], [first]: readonly string[]): number {
  const from = first === undefined ? undefined : numberIn(first, 't');
  if (from === undefined) return 0;
  let end = 0;
  const staying = runs.findIndex((run) => {
    end = (numberIn(run, 't') ?? end) + (numberIn(run, 'd') ?? 0) * (1 + (numberIn(run, 'r') ?? 0));
    return end > from;
  });
  return staying < 0 ? runs.length : staying;
}

/** Removes an S with the line break before it, which `ws` names. */
const remove = (path: string, position: number): string => `<remove sel="${path}/S[${position}]" ws="before"/>`;

/** @param path an XPath of the SegmentTimeline */
function runChanges(path: string, runs: readonly string[], next: readonly string[]): string[] {
  const gone = countGone(runs, next);
  const left = runs.slice(gone);
  const changes = Array.from({ length: gone }, () => remove(path, 1));
  left.slice(0, next.length).forEach((run, index) => {
    if (run !== next[index]) changes.push(`<replace sel="${path}/S[${index + 1}]">${next[index]}</replace>`);
  });
  for (let position = left.length; position > next.length; position -= 1) changes.push(remove(path, position));
  const added = next.slice(left.length);
  if (added.length > 0) changes.push(`<add sel="${path}">${added.map((run) => `${run}\n`).join('')}</add>`);
  return changes;
}

/** @param period an XPath */
function timelineChanges(period: string, { path, startNumber, runs }: Timeline, next: Timeline): string[] {
  const template = period + path;
  const changes = runChanges(`${template}/SegmentTimeline`, runs, next.runs);
  if (startNumber === next.startNumber) return changes;
  return [`<replace sel="${template}/@startNumber">${next.startNumber}</replace>`, ...changes];
}

// A Period as what never changes once it is published, and the time lines in it, which do. Elements are on separate lines
// (xml/write.ts), and text has no line that begins with a tag, because `<` is escaped in it.

type Timeline = {
  /** An XPath of its SegmentTemplate, from the Period on. */
  readonly path: string;
  readonly startNumber: string | undefined;
  /** The S elements. */
  readonly runs: readonly string[];
};

type PeriodTimelines = { readonly rest: string; readonly timelines: readonly Timeline[] };

const idOf = (line: string): string => /^<\w+ id="([^"]*)"/.exec(line)?.[1] ?? '';
const START_NUMBER = / startNumber="(\d+)"/;

function readTimelines(period: string): PeriodTimelines {
  const rest: string[] = [];
  const timelines: (Timeline & { readonly runs: string[] })[] = [];
  let set = '';
  let representation = '';
  for (const line of period.split('\n')) {
    if (line.startsWith('<S ')) {
      timelines.at(-1)?.runs.push(line);
      continue;
    }
    rest.push(line.startsWith('<SegmentTemplate ') ? line.replace(START_NUMBER, '') : line);
    if (line.startsWith('<AdaptationSet ')) [set, representation] = [`/AdaptationSet[@id='${idOf(line)}']`, ''];
    else if (line.startsWith('<Representation ')) representation = `/Representation[@id='${idOf(line)}']`;
    else if (line.startsWith('<SegmentTemplate ')) {
      const startNumber = START_NUMBER.exec(line)?.[1];
      timelines.push({ path: `${set}${representation}/SegmentTemplate`, startNumber, runs: [] });
    }
  }
  return { rest: rest.join('\n'), timelines };
}

// Writes MPD patch documents (ISO/IEC 23009-1 5.15). Their selectors have no prefixes, as players expect.

type PatchFrame = {
  /** MPD@id */
  readonly id: string;
  /** MPD@publishTime before and after the patch. */
  readonly publishedAt: Millis;
  readonly now: Millis;
};

function patch({ id, publishedAt, now }: PatchFrame, changes: readonly string[]): string {
  const attributes = {
    xmlns: 'urn:mpeg:dash:schema:mpd-patch:2020',
    mpdId: id,
    originalPublishTime: isoText(publishedAt),
    publishTime: isoText(now),
  };
  const published = `<replace sel="/MPD/@publishTime">${isoText(now)}</replace>`;
  // The frame as bytes: the changes are copied from an MPD, so they are bytes already.
  const [head] = utf8Bytes(element('Patch', attributes)).split(/\/>$/);
  return `${xmlDeclaration}${head}>\n${[published, ...changes].join('\n')}\n</Patch>`;
}

/** @param location the element of the patched MPD. @returns the bytes of the text (`utf8Bytes`) */
export const writePatch = (frame: PatchFrame, location: string, changes: readonly string[]): string =>
  patch(frame, [`<replace sel="/MPD/PatchLocation[1]">${location}</replace>`, ...changes]);

/**
 * A patch after which the player reads the whole MPD at its next update, because nothing is left that names a patch. It is valid
 * for every MPD with this id. An error response instead would stop the updates of dash.js 5.2, and Shaka Player 5.2 would repeat
 * the request until the location expires.
 */
export const writeLastPatch = ({ now, ...frame }: PatchFrame): string =>
  // A patch must be newer than its MPD, also if another process has a clock that is ahead.
  patch({ ...frame, now: millis(Math.max(now, frame.publishedAt + 1)) }, [
    '<remove sel="/MPD/PatchLocation[1]" ws="before"/>',
  ]);

// Where players get the next patch of an MPD (ISO/IEC 23009-1 5.3.2 and 5.15). The URL names the MPD that the player has, so
// that any process can compute what has changed since: which time it lists, and a check value of its Periods.

/** An MPD that was sent to a player. */
export type SentMpd = {
  /** MPD@publishTime */
  readonly publishedAt: Millis;
  /** What it lists, on the timeline. */
  readonly from: Millis;
  readonly to: Millis;
  /** The check value of the text of its Periods. */
  readonly check: number;
};

/** Seconds after MPD@publishTime until which players request a patch; later they request the whole MPD. */
export const PATCH_TTL = 60;

const RADIX = 36;
const tokenPattern = /^([0-9a-z]{1,9})-([0-9a-z]{1,9})-([0-9a-z]{1,9})-([0-9a-z]{1,7})$/;

/** Without characters that URLs or XML escape. */
export const writeSentMpd = ({ publishedAt, from, to, check }: SentMpd): string =>
  [publishedAt, from, to, check].map((value) => value.toString(RADIX)).join('-');

/** @returns undefined for a text that `writeSentMpd` does not write */
export function readSentMpd(text: string): SentMpd | undefined {
  const [, ...parts] = tokenPattern.exec(text) ?? [];
  const [publishedAt, from, to, check] = parts.map((part) => Number.parseInt(part, RADIX));
  if (publishedAt === undefined || from === undefined || to === undefined || check === undefined) return undefined;
  return { publishedAt: millis(publishedAt), from: millis(from), to: millis(to), check };
}

/** For locations that have expired when a player would use them. Shaka Player 5.2 would read 0 as no limit. */
export const EXPIRED_TTL = 1;

/** @param url with nothing to escape. @param ttl seconds after MPD@publishTime */
export const patchLocation = (url: string, ttl: number): string => `<PatchLocation ttl="${ttl}">${url}</PatchLocation>`;
