// SPDX-License-Identifier: Apache-2.0
// The AdaptationSets of a Period: one for video and one for each language of audio and text (ISO/IEC 23009-1 5.3.3). They
// follow from the listed segments of a clip, and do not depend on where it is placed.

import { memo, ownMemo } from '../../cache/memo.ts';
import { invariant, isNonEmpty, lastOf, type NonEmpty } from '../../invariant.ts';
import type { SegmentUrls, Track } from '../../timeline/asset/asset.ts';
import type { Cell, Clip } from '../../timeline/asset/clip.ts';
import { listedCell } from '../../timeline/asset/listedCell.ts';
import { packRefs, packTimes, provenTimes, segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { Ladder, Rung, RungKind } from '../../timeline/ladder/ladder.ts';
import { dashCell, isPlainText } from '../../timeline/ladder/servedText.ts';
import { ofRung } from '../../timeline/programme/span.ts';
import type { Row } from '../../timeline/programme/window.ts';
import { element } from '../../xml/write.ts';
import { writeCaptions } from '../descriptors.ts';
import {
  appendRun,
  borderOf,
  type RepresentationRow,
  type Run,
  representationRow,
  segmentElement,
  templateOf,
  writeSegments,
} from './writeSegments.ts';

/** For each rung, segments `first[r]` to `end[r] − 1` of its cell's track. */
type Listed = { readonly clip: Clip; readonly first: readonly number[]; readonly end: readonly number[] };

/** Rungs that a player may switch between: all of video, or one language of audio or text (5.3.3). */
export type SwitchingSet = { readonly rungs: NonEmpty<number>; readonly lead: Rung; readonly role: string };

export const switchingSets = memo((ladder: Ladder): SwitchingSet[] => {
  const sets = new Map<string, { readonly lead: Rung; readonly rungs: [number, ...number[]] }>();
  ladder.rungs.forEach((rung, index) => {
    if (isPlainText(rung)) return;
    const key = rung.kind === 'audio' || rung.kind === 'text' ? rung.id : rung.kind;
    const set = sets.get(key);
    if (set === undefined) sets.set(key, { lead: rung, rungs: [index] });
    else set.rungs.push(index);
  });
  const firstAudio = ladder.rungs.find(({ kind }) => kind === 'audio');
  return [...sets.values()].map(({ lead, rungs }) => {
    const isMain = lead.kind !== 'audio' || lead === firstAudio;
    return { rungs, lead, role: lead.kind === 'text' ? textRole(lead) : isMain ? 'main' : 'alternate' };
  });
});

/** 5.8.5.5: captions also describe sounds; forced subtitles are shown to every viewer. */
function textRole({ isForced, characteristics = '' }: Rung): string {
  if (isForced) return 'forced-subtitle';
  return characteristics.includes('public.accessibility.') ? 'caption' : 'subtitle';
}

function representation({ rendition }: Cell, id: string, segments: string): string {
  const { frameRate, channels, kind } = rendition;
  const channelConfiguration =
    kind === 'audio' && channels !== undefined
      ? element('AudioChannelConfiguration', {
          schemeIdUri: 'urn:mpeg:dash:23003:3:audio_channel_configuration:2011',
          value: channels,
        })
      : '';
  return element(
    'Representation',
    {
      id,
      codecs: rendition.codecs,
      bandwidth: Math.max(1, Math.ceil(rendition.bandwidth)),
      width: rendition.width,
      height: rendition.height,
      frameRate: frameRate && (frameRate.d === 1 ? `${frameRate.n}` : `${frameRate.n}/${frameRate.d}`),
      audioSamplingRate: kind === 'audio' ? rendition.sampleRate : undefined,
    },
    channelConfiguration,
    segments,
  );
}

const VIDEO = { contentType: 'video', mimeType: 'video/mp4' } as const;
const CONTENT: Readonly<Record<RungKind, { contentType: string; mimeType: string }>> = {
  video: VIDEO,
  muxed: VIDEO,
  audio: { contentType: 'audio', mimeType: 'audio/mp4' },
  text: { contentType: 'text', mimeType: 'application/mp4' },
};

/** @lang is an xs:language (5.3.3.2); some sources put other text there, such as names. */
const languageOf = ({ language = 'und' }: Rung): string =>
  /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i.test(language) ? language : 'und';

/** A cell of a set, and the segments that are listed of it. */
export type ListedCell = { readonly cell: Cell; readonly row: RepresentationRow };

/** @param listed one for each rung of the set */
export function adaptationSet(
  listed: readonly ListedCell[],
  { lead, role }: SwitchingSet,
  id: number,
  ladder: Ladder,
): string {
  invariant(isNonEmpty(listed), 'a set has a rung');
  const [first] = listed;
  const { shared, own } = writeSegments(listed.map(({ row }) => row));
  return element(
    'AdaptationSet',
    {
      id,
      ...CONTENT[lead.kind],
      lang: lead.kind === 'audio' || lead.kind === 'text' ? languageOf(lead) : undefined,
      segmentAlignment: true,
      startWithSAP: 1,
    },
    ...(first.cell.track.protection?.dash ?? []),
    lead.kind === 'video' && ladder.captions ? writeCaptions(ladder.captions) : '',
    element('Role', { schemeIdUri: 'urn:mpeg:dash:role:2011', value: role }),
    shared,
    ...listed.map(({ cell, row }, index) => representation(cell, row.id, own[index] ?? '')),
  );
}

const writeSets = (ladder: Ladder, cellsOf: (set: SwitchingSet) => readonly ListedCell[]): string =>
  switchingSets(ladder)
    .map((set, index) => adaptationSet(cellsOf(set), set, index + 1, ladder))
    .join('\n');

export const listedCells = ({ clip, first, end }: Listed, { rungs }: SwitchingSet, ladder: Ladder): ListedCell[] =>
  rungs.map((rung) => {
    const cell = dashCell(listedCell(clip, rung));
    const { id } = ofRung(ladder.rungs, rung);
    return { cell, row: representationRow(id, clip, cell, ofRung(first, rung), ofRung(end, rung)) };
  });

export const adaptationSets = (listed: Listed, ladder: Ladder): string =>
  writeSets(ladder, (set) => listedCells(listed, set, ladder));

// The listed segments of one Representation in a stretch of live content: one time line over the clips of all its spans.

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

type ListedPiece = { readonly row: Row; readonly piece: Piece };

type Pattern = Extract<SegmentUrls, { kind: 'number' | 'time' }>;

const samePattern = (one: Pattern, { kind, prefix, suffix }: Pattern): boolean =>
  one.kind === kind && one.prefix === prefix && one.suffix === suffix;

/** A number without leading zeros is also one of a greater width, if it has that many digits. */
const fits = (width: number, { urls, first }: { urls: Pattern; first: number }): boolean =>
  urls.width === width || (urls.width === 1 && String(first).length >= width);

/** The pattern of the clips' URLs if it is the same in all of them and their numbers are consecutive. */
function commonPattern(listed: readonly ListedPiece[], rung: number): Pattern | undefined {
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
function foundPattern(listed: readonly ListedPiece[], rung: number): Pattern | undefined {
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

const listTimes = (listed: readonly ListedPiece[], rung: number): number[] =>
  listed.flatMap(({ row, piece }) => piece.indexes.map((index) => startOf(cellOf(row, rung).track, index)));

function listUrls(listed: readonly ListedPiece[], rung: number): string[] {
  return listed.flatMap(({ row, piece }) => {
    const { track } = cellOf(row, rung);
    piece.urls ??= piece.indexes.map((index) => segmentElement(track, index));
    return piece.urls;
  });
}

function listedPieces(rows: readonly Row[], rung: number): ListedPiece[] {
  const listed = rows.map((row) => ({ row, piece: pieceOf(row, rung, false) }));
  const present = listed.filter(({ piece }) => piece.indexes.length > 0);
  return present.length > 0 ? present : rows.map((row) => ({ row, piece: pieceOf(row, rung, true) }));
}

/** @param rows consecutive rows of one stretch */
function stretchRow(id: string, rows: NonEmpty<Row>, rung: number): RepresentationRow {
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

/** @param rows consecutive rows of one stretch of live content */
export const stretchSets = (rows: NonEmpty<Row>, ladder: Ladder): string =>
  writeSets(ladder, ({ rungs }) =>
    rungs.map((rung) => ({
      cell: ofRung(lastOf(rows).span.placed.clip.cells, rung),
      row: stretchRow(ofRung(ladder.rungs, rung).id, rows, rung),
    })),
  );
