// SPDX-License-Identifier: Apache-2.0
// The AdaptationSets of a Period: one for video and one for each language of audio and text (ISO/IEC 23009-1 5.3.3). They
// follow from the listed segments of a clip, and do not depend on where it is placed.
import { memo } from '../../cache/memo.ts';
import { invariant, isNonEmpty, lastOf, type NonEmpty } from '../../invariant.ts';
import type { Cell, Clip } from '../../timeline/asset/clip.ts';
import type { Ladder, Rung, RungKind } from '../../timeline/ladder/ladder.ts';
import { dashCell, isPlainText } from '../../timeline/ladder/servedText.ts';
import type { Row } from '../../timeline/programme/window.ts';
import { element } from '../../xml/write.ts';
import { writeCaptions } from '../descriptors.ts';
import { stretchRow } from './stretchRow.ts';
import { ofRung, type RepresentationRow, representationRow, writeSegments } from './writeSegments.ts';

/** For each rung, segments `first[r]` to `end[r] − 1` of its cell's track. */
export type Listed = { readonly clip: Clip; readonly first: readonly number[]; readonly end: readonly number[] };

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
    const cell = dashCell(ofRung(clip.cells, rung));
    const { id } = ofRung(ladder.rungs, rung);
    return { cell, row: representationRow(id, clip, cell, ofRung(first, rung), ofRung(end, rung)) };
  });

export const adaptationSets = (listed: Listed, ladder: Ladder): string =>
  writeSets(ladder, (set) => listedCells(listed, set, ladder));

/** @param rows consecutive rows of one stretch of live content */
export const stretchSets = (rows: NonEmpty<Row>, ladder: Ladder): string =>
  writeSets(ladder, ({ rungs }) =>
    rungs.map((rung) => ({
      cell: ofRung(lastOf(rows).span.placed.clip.cells, rung),
      row: stretchRow(ofRung(ladder.rungs, rung).id, rows, rung),
    })),
  );
