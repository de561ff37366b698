// SPDX-License-Identifier: Apache-2.0
// The AdaptationSets of a Period: one for video and one for each language of audio and text (ISO/IEC 23009-1 5.3.3). They
// follow from the listed segments of a clip, and do not depend on where it is placed.
import { memo } from '../../cache/memo.ts';
import type { Cell, Clip } from '../../timeline/asset/clip.ts';
import type { Ladder, Rung, RungKind } from '../../timeline/ladder/ladder.ts';
import { dashCell, isPlainText } from '../../timeline/ladder/servedText.ts';
import type { Row } from '../../timeline/programme/window.ts';
import { element } from '../../xml/write.ts';
import { writeCaptions } from '../descriptors.ts';
import { stretchRow } from './stretchRow.ts';
import { type RepresentationRow, representationRow, writeSegments } from './writeSegments.ts';

/** For each rung, segments `first[r]` to `end[r] − 1` of its cell's track. */
export type Listed = { readonly clip: Clip; readonly first: readonly number[]; readonly end: readonly number[] };

/** Rungs that a player may switch between: all of video, or one language of audio or text (5.3.3). */
export type SwitchingSet = { readonly rungs: readonly number[]; readonly lead: Rung; readonly role: string };

export const switchingSets = memo((ladder: Ladder): SwitchingSet[] => {
  const sets = new Map<string, number[]>();
  ladder.rungs.forEach((rung, index) => {
    if (isPlainText(rung)) return;
    const key = rung.kind === 'audio' || rung.kind === 'text' ? rung.id : rung.kind;
    sets.set(key, [...(sets.get(key) ?? []), index]);
  });
  const firstAudio = ladder.rungs.find(({ kind }) => kind === 'audio');
  return [...sets.values()].map((rungs) => {
    const lead = ladder.rungs[rungs[0]!]!;
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

type Cells = { readonly cells: readonly Cell[]; readonly rows: readonly RepresentationRow[] };

export function adaptationSet(
  { cells, rows }: Cells,
  { rungs, lead, role }: SwitchingSet,
  id: number,
  ladder: Ladder,
): string {
  const { shared, own } = writeSegments(rows);
  const protection = cells[0]!.track.protection?.dash ?? [];
  return element(
    'AdaptationSet',
    {
      id,
      ...CONTENT[lead.kind],
      lang: lead.kind === 'audio' || lead.kind === 'text' ? languageOf(lead) : undefined,
      segmentAlignment: true,
      startWithSAP: 1,
    },
    ...protection,
    lead.kind === 'video' && ladder.captions ? writeCaptions(ladder.captions) : '',
    element('Role', {
      schemeIdUri: 'urn:mpeg:dash:role:2011',
      value: role,
    }),
    shared,
    ...rungs.map((_, index) => representation(cells[index]!, rows[index]!.id, own[index]!)),
  );
}

const writeSets = (ladder: Ladder, cellsOf: (rungs: readonly number[]) => Cells): string =>
  switchingSets(ladder)
    .map((set, index) => adaptationSet(cellsOf(set.rungs), set, index + 1, ladder))
    .join('\n');

export const adaptationSets = ({ clip, first, end }: Listed, ladder: Ladder): string =>
  writeSets(ladder, (rungs) => {
    const cells = rungs.map((rung) => dashCell(clip.cells[rung]!));
    const rows = rungs.map((rung, index) =>
      representationRow(ladder.rungs[rung]!.id, clip, cells[index]!, first[rung]!, end[rung]!),
    );
    return { cells, rows };
  });

/** @param rows consecutive rows of one stretch of live content */
export const stretchSets = (rows: readonly Row[], ladder: Ladder): string =>
  writeSets(ladder, (rungs) => ({
    cells: rungs.map((rung) => rows.at(-1)!.span.placed.clip.cells[rung]!),
    rows: rungs.map((rung) => stretchRow(ladder.rungs[rung]!.id, rows, rung)),
  }));
