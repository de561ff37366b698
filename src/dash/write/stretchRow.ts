// SPDX-License-Identifier: Apache-2.0
// The listed segments of one Representation in a stretch of live content: one time line over the clips of all its spans.

import { ownMemo } from '../../cache/memo.ts';
import { lastOf, type NonEmpty } from '../../invariant.ts';
import type { SegmentUrls, Track } from '../../timeline/asset/asset.ts';
import type { Cell } from '../../timeline/asset/clip.ts';
import { packRefs, packTimes, provenTimes, segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { Row } from '../../timeline/programme/window.ts';
import {
  appendRun,
  borderOf,
  ofRung,
  type RepresentationRow,
  type Run,
  segmentElement,
  templateOf,
} from './writeSegments.ts';

/** What a row lists in one rung. */
type Piece = {
  /** The indexes of its segments. Missing ones (EXT-X-GAP) are left out, because DASH cannot mark them. */
  readonly indexes: readonly number[];
  readonly runs: readonly Run[];
  urls?: readonly string[];
};

/** By rung, without and with missing segments: a rung that would be empty without them lists them (law 5). */
const piecesOf = ownMemo((_: Row): (Piece | undefined)[] => []);

const cellOf = ({ span }: Row, rung: number): Cell => ofRung(span.placed.clip.cells, rung);

/** S@t: `borders` count from the start of the stretch. The part of a segment before media time 0 cannot be stated (5.3.9.6.2). */
const startOf = (track: Track, index: number): number => Math.max(0, (track.mediaTime ?? 0) + borderOf(track, index));

function makePiece(row: Row, rung: number, withGaps: boolean): Piece {
  const { track } = cellOf(row, rung);
  const indexes: number[] = [];
  const runs: Run[] = [];
  const end = ofRung(row.end, rung);
  for (let index = ofRung(row.first, rung); index < end; index += 1) {
    if (!withGaps && track.gaps?.has(index)) continue;
    const t = startOf(track, index);
    const d = Math.max(1, startOf(track, index + 1) - t);
    indexes.push(index);
    appendRun(runs, { t, d, count: 1 });
  }
  return { indexes, runs };
}

function pieceOf(row: Row, rung: number, withGaps: boolean): Piece {
  const made = piecesOf(row);
  const key = 2 * rung + (withGaps ? 1 : 0);
  made[key] ??= makePiece(row, rung, withGaps);
  return made[key];
}

type Listed = { readonly row: Row; readonly piece: Piece };

type Pattern = Extract<SegmentUrls, { kind: 'number' | 'time' }>;

const samePattern = (one: Pattern, { kind, prefix, suffix }: Pattern): boolean =>
  one.kind === kind && one.prefix === prefix && one.suffix === suffix;

/** A number without leading zeros is also one of a greater width, if it has that many digits. */
const fits = (width: number, { urls, first }: { urls: Pattern; first: number }): boolean =>
  urls.width === width || (urls.width === 1 && String(first).length >= width);

/** The pattern of the clips' URLs if it is the same in all of them and their numbers are consecutive. */
function commonPattern(listed: readonly Listed[], rung: number): Pattern | undefined {
  const parts: { urls: Pattern; first: number }[] = [];
  let next: number | undefined;
  for (const { row, piece } of listed) {
    const { track } = cellOf(row, rung);
    const { urls } = track;
    if (urls.kind !== 'number' && urls.kind !== 'time') return undefined;
    const [index] = piece.indexes;
    const last = piece.indexes.at(-1);
    if (index === undefined || last === undefined) continue;
    if (urls.kind === 'time') parts.push({ urls, first: startOf(track, index) });
    else {
      const isCounted =
        last - index === piece.indexes.length - 1 && (next === undefined || next === urls.first + index);
      if (!isCounted) return undefined;
      next = urls.first + last + 1;
      parts.push({ urls, first: urls.first + index });
    }
  }
  const width = Math.max(...parts.map(({ urls }) => urls.width));
  const [lead] = parts;
  if (lead === undefined) return undefined;
  const { urls, first } = lead;
  if (!parts.every((part) => samePattern(part.urls, urls) && fits(width, part))) return undefined;
  return urls.kind === 'number' ? { ...urls, first, width } : { ...urls, width };
}

/** A clip of one segment does not show which number in its URL counts, so all URLs are compared. */
function foundPattern(listed: readonly Listed[], rung: number): Pattern | undefined {
  const isOther = listed.some(({ row, piece }) => {
    const { kind } = cellOf(row, rung).track.urls;
    return kind !== 'number' && kind !== 'time' && piece.indexes.length > 1;
  });
  if (isOther) return undefined;
  const refs = listed.flatMap(({ row, piece }) =>
    piece.indexes.map((index) => segmentUrl(cellOf(row, rung).track, index)),
  );
  if (refs.some(({ range }) => range !== undefined)) return undefined;
  const urls =
    packTimes(
      refs.map(({ url }) => url),
      listTimes(listed, rung),
    ) ?? packRefs(refs);
  return urls.kind === 'number' || urls.kind === 'time' ? urls : undefined;
}

const listTimes = (listed: readonly Listed[], rung: number): number[] =>
  listed.flatMap(({ row, piece }) => piece.indexes.map((index) => startOf(cellOf(row, rung).track, index)));

function listUrls(listed: readonly Listed[], rung: number): string[] {
  return listed.flatMap(({ row, piece }) => {
    const { track } = cellOf(row, rung);
    piece.urls ??= piece.indexes.map((index) => segmentElement(track, index));
    return piece.urls;
  });
}

function listedPieces(rows: readonly Row[], rung: number): Listed[] {
  const listed = rows.map((row) => ({ row, piece: pieceOf(row, rung, false) }));
  const present = listed.filter(({ piece }) => piece.indexes.length > 0);
  return present.length > 0 ? present : rows.map((row) => ({ row, piece: pieceOf(row, rung, true) }));
}

/** @param rows consecutive rows of one stretch */
export function stretchRow(id: string, rows: NonEmpty<Row>, rung: number): RepresentationRow {
  const listed = listedPieces(rows, rung);
  const runs: Run[] = [];
  for (const { piece } of listed) for (const run of piece.runs) appendRun(runs, run);
  // The newest initialization section: it is the same one, but its URL may contain a token that expires.
  const { rendition, track } = cellOf(lastOf(rows), rung);
  const pattern = commonPattern(listed, rung) ?? foundPattern(listed, rung);
  return {
    id,
    timescale: rendition.timescale,
    presentationTimeOffset: Math.max(0, track.mediaTime ?? 0),
    runs,
    template: pattern && templateOf(provenTimes(pattern, listTimes(listed, rung)), 0, track.init),
    init: track.init,
    listUrls: () => listUrls(listed, rung),
  };
}
