// SPDX-License-Identifier: Apache-2.0
// The MPD of a test's live origin (ISO/IEC 23009-1). Each stretch is a Period.
import { eventStream, inbandStream } from '../markers/dashMarkers.ts';
import { TEXT_TIMESCALE, textCodecs } from '../media/liveText.ts';
import { type LiveState, mediaTime, type OnAir, SUBTITLES, WINDOW } from './livePresentation.ts';

/** Consecutive segments of one stretch. */
type Section = { readonly stretch: number; readonly start: number; readonly first: number; readonly last: number };

const iso = (at: number): string => new Date(at).toISOString();

function sectionsOf({ broadcast, run, options }: LiveState, last: number): Section[] {
  const first = Math.max(0, last - (options.window ?? WINDOW) + 1);
  const sections: Section[] = [];
  for (let index = first; index <= last; index += 1) {
    const stretch = broadcast.stretchOf(run, index);
    const open = sections.at(-1);
    if (open?.stretch === stretch) sections[sections.length - 1] = { ...open, last: index };
    else {
      let start = index;
      while (start > 0 && broadcast.stretchOf(run, start - 1) === stretch) start -= 1;
      sections.push({ stretch, start, first: index, last: index });
    }
  }
  return sections;
}

function timeline(state: LiveState, one: OnAir, first: number, last: number): string {
  const entries: { d: number; r: number }[] = [];
  for (let index = first; index <= last; index += 1) {
    const d = one.media.source(index).duration;
    const open = entries.at(-1);
    if (open?.d === d) open.r += 1;
    else entries.push({ d, r: 0 });
  }
  const t = mediaTime(one, state.broadcast, state.run, first);
  const rows = entries.map(({ d, r }, at) => `<S${at === 0 ? ` t="${t}"` : ''} d="${d}"${r > 0 ? ` r="${r}"` : ''}/>`);
  return `<SegmentTimeline>${rows.join('')}</SegmentTimeline>`;
}

function template(state: LiveState, one: OnAir, section: Section): string {
  const { run, options, broadcast } = state;
  const { addressing = 'time' } = options;
  const { timescale } = one.rendition;
  const last = Math.min(section.last, state.edge(one.name));
  const query = (options.query?.() ?? '').replaceAll('&', '&amp;');
  const path = `$RepresentationID$/${run.index}`;
  const offset = (broadcast.mediaMsOf(run, section.start) * timescale) / 1000;
  const media = addressing === 'time' ? `${path}/${section.stretch}/t$Time$` : `${path}/$Number$`;
  const urls = `media="${media}.m4s${query}" initialization="$RepresentationID$/init.mp4${query}"`;
  const times = `timescale="${timescale}" presentationTimeOffset="${offset}"`;
  if (addressing === 'duration') {
    const duration = (broadcast.loop.segmentMs * timescale) / 1000;
    return `<SegmentTemplate ${times} duration="${duration}" startNumber="${run.firstNumber + section.start}" ${urls}/>`;
  }
  const number = addressing === 'number' ? ` startNumber="${run.firstNumber + section.first}"` : '';
  return `<SegmentTemplate ${times}${number} ${urls}>${timeline(state, one, section.first, last)}</SegmentTemplate>`;
}

function adaptationSets(state: LiveState, section: Section): string[] {
  const { onAir, options, broadcast } = state;
  const { sampleRate, frameRate } = broadcast.loop.shape;
  const { n, d } = frameRate;
  const videos = onAir.filter(({ rendition }) => rendition.kind === 'video');
  const protection = options.protection ?? '';
  const representation = ({ name, rendition: { bandwidth, codecs, width, height } }: OnAir): string => {
    const shape = width === undefined ? `audioSamplingRate="${sampleRate}"` : `width="${width}" height="${height}"`;
    return `<Representation id="${name}" bandwidth="${bandwidth}" codecs="${codecs}" ${shape}/>`;
  };
  const flags = 'segmentAlignment="true" startWithSAP="1"';
  const video = [
    `<AdaptationSet id="0" contentType="video" mimeType="video/mp4" frameRate="${n}/${d}" ${flags}>`,
    `${protection}${inbandStream(options.dashMarkers ?? 'none')}`,
    ...[template(state, videos[0]!, section), ...videos.map(representation), '</AdaptationSet>'],
  ];
  const text = options.subtitles === undefined ? undefined : textCodecs[options.subtitles];
  const texts = text === undefined ? [] : [textSet(state, section, text)];
  const sounds = onAir.filter(({ rendition }) => rendition.kind === 'audio');
  return [
    video.join(''),
    ...sounds.map((sound, index) =>
      [
        `<AdaptationSet id="${index + 1}" contentType="audio" mimeType="audio/mp4" lang="${sound.language}" ${flags}>`,
        ...[protection, '<Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>'],
        ...[template(state, sound, section), representation(sound), '</AdaptationSet>'],
      ].join(''),
    ),
    ...texts,
  ];
}

function textSet(state: LiveState, { stretch, start, first, last: end }: Section, codecs: string): string {
  const { broadcast, run } = state;
  const last = Math.min(end, state.edge(SUBTITLES));
  const { segmentMs } = broadcast.loop;
  const row = `<S t="${broadcast.mediaMsOf(run, first)}" d="${segmentMs}" r="${last - first}"/>`;
  const urls = `media="$RepresentationID$/${run.index}/${stretch}/t$Time$.m4s" initialization="$RepresentationID$/init.mp4"`;
  const times = `timescale="${TEXT_TIMESCALE}" presentationTimeOffset="${broadcast.mediaMsOf(run, start)}"`;
  return [
    '<AdaptationSet id="9" contentType="text" mimeType="application/mp4" lang="en" segmentAlignment="true">',
    '<Role schemeIdUri="urn:mpeg:dash:role:2011" value="subtitle"/>',
    `<SegmentTemplate ${times} ${urls}><SegmentTimeline>${row}</SegmentTimeline></SegmentTemplate>`,
    `<Representation id="${SUBTITLES}" bandwidth="2000" codecs="${codecs}"/></AdaptationSet>`,
  ].join('');
}

export function writeLiveMpd(state: LiveState): string {
  const { broadcast, run, options, now, onAir } = state;
  const { segmentMs } = broadcast.loop;
  const last = Math.min(...onAir.map(({ name }) => state.edge(name)));
  const edge = Math.max(...onAir.map(({ name }) => state.edge(name)));
  const sections = sectionsOf(state, options.addressing === 'duration' ? edge : Math.max(last, edge));
  const first = sections[0]!.first;
  const breaks = broadcast.breaksBetween(run, first - 1, last + 60);
  const lead = Math.round(((run.breaks.lead ?? 0) * 1000) / segmentMs);
  const periods = sections.map((section, at) => {
    const end = sections[at + 1]?.start ?? Number.POSITIVE_INFINITY;
    const inside = breaks.filter(({ start }) => start >= section.start && start < end);
    const mediaMsOf = (index: number) => broadcast.mediaMsOf(run, section.start) + (index - section.start) * segmentMs;
    const context = {
      form: options.dashMarkers ?? ('none' as const),
      breaks: inside,
      last,
      segmentMs,
      lead,
      mediaMsOf,
    };
    const events = eventStream(context, mediaMsOf(section.start));
    const start = (section.start * segmentMs) / 1000;
    const sets = adaptationSets(state, section).join('');
    return `<Period id="r${run.index}p${section.stretch}" start="PT${start}S">${events}${sets}</Period>`;
  });
  const depth = ((options.window ?? WINDOW) * segmentMs) / 1000;
  const times = [
    `availabilityStartTime="${iso(run.startedAt)}" publishTime="${iso(now)}" minimumUpdatePeriod="PT${segmentMs / 1000}S"`,
    `minBufferTime="PT2S" timeShiftBufferDepth="PT${depth}S" suggestedPresentationDelay="PT6S"`,
    `maxSegmentDuration="PT${Math.ceil(segmentMs / 1000) + 1}S"`,
  ];
  const profile = 'profiles="urn:mpeg:dash:profile:isoff-live:2011"';
  const timing = `<UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="${iso(now)}"/>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" ${profile} ${times.join(' ')}>`,
    ...[options.mpdHead ?? '', ...periods, options.hasTiming === false ? '' : timing, '</MPD>', ''],
  ].join('\n');
}
