// SPDX-License-Identifier: Apache-2.0
// Writes the rows of the window as a dynamic MPD (ISO/IEC 23009-1 5.3): a Period for each span. The window decides what is
// listed.
import { ownMemo } from '../../cache/ownMemo.ts';
import type { Millis } from '../../time/units.ts';
import { holdBackMillis } from '../../timeline/ladder/holdBack.ts';
import type { Ladder, Rung, RungKind } from '../../timeline/ladder/ladder.ts';
import { dashCell } from '../../timeline/ladder/servedText.ts';
import { spanStart } from '../../timeline/programme/span.ts';
import type { Row, Window } from '../../timeline/programme/window.ts';
import { element, escapeText, xmlDeclaration } from '../../xml/write.ts';
import { writeCaptions } from '../captions.ts';
import { announceSpan } from './announce.ts';
import { type RepresentationRow, writeSegments } from './writeSegments.ts';

const seconds = (value: number): string => `PT${(value / 1000).toFixed(3).replace(/\.?0+$/, '')}S`;

/** Rungs that a player may switch between: all of video, or one language of audio or text (5.3.3). */
type SwitchingSet = { readonly rungs: readonly number[]; readonly lead: Rung; readonly role: string };

function switchingSets(ladder: Ladder): SwitchingSet[] {
  const sets = new Map<string, number[]>();
  ladder.rungs.forEach((rung, index) => {
    const key = rung.kind === 'audio' || rung.kind === 'text' ? rung.id : rung.kind;
    sets.set(key, [...(sets.get(key) ?? []), index]);
  });
  const firstAudio = ladder.rungs.find(({ kind }) => kind === 'audio');
  return [...sets.values()].map((rungs) => {
    const lead = ladder.rungs[rungs[0]!]!;
    const isMain = lead.kind !== 'audio' || lead === firstAudio;
    return { rungs, lead, role: lead.kind === 'text' ? textRole(lead) : isMain ? 'main' : 'alternate' };
  });
}

/** 5.8.5.5: captions also describe sounds; forced subtitles are shown to every viewer. */
function textRole({ isForced, characteristics = '' }: Rung): string {
  if (isForced) return 'forced-subtitle';
  return characteristics.includes('public.accessibility.') ? 'caption' : 'subtitle';
}

function representation(row: Row, rung: number, id: string, segments: string): string {
  const { rendition } = row.span.placed.clip.cells[rung]!;
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

function adaptationSet(row: Row, { rungs, lead, role }: SwitchingSet, id: number, ladder: Ladder): string {
  const { clip } = row.span.placed;
  const rows: RepresentationRow[] = rungs.map((rung) => ({
    id: ladder.rungs[rung]!.id,
    clip,
    cell: dashCell(clip.cells[rung]!),
    first: row.first[rung]!,
    end: row.end[rung]!,
  }));
  const { shared, own } = writeSegments(rows);
  const protection = rows[0]!.cell.track.protection?.dash ?? [];
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
    ...rungs.map((rung, index) => representation(row, rung, rows[index]!.id, own[index]!)),
  );
}

function writePeriod(
  row: Row,
  sets: readonly SwitchingSet[],
  { ladder, availabilityStart, announces }: MpdFrame,
): string {
  return element(
    'Period',
    { id: row.span.id, start: seconds(spanStart(row.span) - availabilityStart) },
    announces === false ? '' : announceSpan(row.span, availabilityStart),
    ...sets.map((set, index) => adaptationSet(row, set, index + 1, ladder)),
  );
}

/** By row, because `frame` is the same for all rows of a channel except for `announces`. */
const periodTexts = ownMemo((_: Row): { announced?: string; plain?: string } => ({}));

/** A Period is written once for all viewers who see the same segments of a span. */
function period(row: Row, sets: readonly SwitchingSet[], frame: MpdFrame): string {
  const texts = periodTexts(row);
  const kind = frame.announces === false ? 'plain' : 'announced';
  texts[kind] ??= writePeriod(row, sets, frame);
  return texts[kind];
}

export type MpdFrame = {
  readonly ladder: Ladder;
  /** The channel's first instant. */
  readonly availabilityStart: Millis;
  readonly now: Millis;
  /** The length of the window in milliseconds. */
  readonly depth: number;
  /** Milliseconds behind `now` at which players should start, if that is more than the hold-back (5.3.1.2). */
  readonly startDelay?: number;
  /** The URL at which players read the server's clock (5.8.5.7). */
  readonly clockUrl: string;
  /** Whether breaks and ads are announced as events; true by default. */
  readonly announces?: boolean;
  /** The base of relative segment URLs, itself relative to the MPD (5.6.4). */
  readonly baseUrl: string;
};

export function writeMpd(window: Window, frame: MpdFrame): string {
  const { ladder, availabilityStart, now, depth, startDelay = 0 } = frame;
  const sets = switchingSets(ladder);
  return (
    xmlDeclaration +
    element(
      'MPD',
      {
        xmlns: 'urn:mpeg:dash:schema:mpd:2011',
        profiles: 'urn:mpeg:dash:profile:isoff-live:2011',
        type: 'dynamic',
        availabilityStartTime: new Date(availabilityStart).toISOString(),
        publishTime: new Date(now).toISOString(),
        minimumUpdatePeriod: 'PT2S',
        minBufferTime: 'PT2S',
        timeShiftBufferDepth: seconds(depth),
        suggestedPresentationDelay: seconds(Math.max(holdBackMillis(ladder), startDelay)),
        maxSegmentDuration: seconds(1000 * ladder.targetDuration),
      },
      element('BaseURL', {}, escapeText(frame.baseUrl)),
      ...window.rows.map((row) => period(row, sets, frame)),
      element('UTCTiming', { schemeIdUri: 'urn:mpeg:dash:utc:http-iso:2014', value: frame.clockUrl }),
    )
  );
}
