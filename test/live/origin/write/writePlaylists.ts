// SPDX-License-Identifier: Apache-2.0
// The HLS playlists of a test's live origin.
import type { Run } from '../broadcast.ts';
import { markersBefore } from '../markers/hlsMarkers.ts';
import { textCodecs } from '../media/liveText.ts';
import { type LiveState, type OnAir, offsetMs, SUBTITLES, WINDOW } from './livePresentation.ts';

/** With byte ranges, the initialization section is within a file. */
export const RANGED_INIT = { file: 'head.bin', start: 16 };
/** How many segments a file has with byte ranges. */
export const CHUNK = 4;
const extensionOf = (one: OnAir | undefined, { broadcast, options }: LiveState): string => {
  if (one === undefined) return options.subtitles === 'vtt' ? 'vtt' : 'm4s';
  return broadcast.loop.packaging === 'cmaf' ? 'm4s' : 'ts';
};

export function writeMultivariant({ broadcast, options, onAir }: LiveState): string {
  const query = options.query?.() ?? '';
  const sounds = onAir.filter(({ rendition }) => rendition.kind === 'audio');
  const texts = options.subtitles
    ? [`#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="English",LANGUAGE="en",URI="${SUBTITLES}.m3u8${query}"`]
    : [];
  const groups = sounds.map(({ name, language }, index) => {
    const isDefault = index === 0 ? 'YES' : 'NO';
    const names = `GROUP-ID="sound",NAME="${language}",LANGUAGE="${language}"`;
    return `#EXT-X-MEDIA:TYPE=AUDIO,${names},DEFAULT=${isDefault},AUTOSELECT=YES,CHANNELS="${broadcast.loop.shape.channels}",URI="${name}.m3u8${query}"`;
  });
  const { frameRate } = broadcast.loop.shape;
  const rate = (frameRate.n / frameRate.d).toFixed(3);
  const variants = onAir
    .filter(({ rendition }) => rendition.kind !== 'audio')
    .flatMap(({ name, rendition: { bandwidth, codecs, width, height } }) => {
      const sound = sounds[0]?.rendition;
      const rates = `BANDWIDTH=${bandwidth + (sound?.bandwidth ?? 0)}`;
      const text = options.subtitles && textCodecs[options.subtitles];
      const all = [codecs, ...(sound ? [sound.codecs] : []), ...(text ? [text] : [])].join();
      const shape = `CODECS="${all}",RESOLUTION=${width}x${height},FRAME-RATE=${rate}`;
      const group = `${sound === undefined ? '' : ',AUDIO="sound"'}${texts.length > 0 ? ',SUBTITLES="text"' : ''}`;
      return [`#EXT-X-STREAM-INF:${rates},${shape}${group}`, `${name}.m3u8${query}`];
    });
  const version = broadcast.loop.packaging === 'cmaf' ? 7 : 4;
  const head = ['#EXTM3U', `#EXT-X-VERSION:${version}`, '#EXT-X-INDEPENDENT-SEGMENTS'];
  return [...head, ...texts, ...groups, ...variants, ''].join('\n');
}

/** The key in force at a segment. */
export const keyName = (run: Run, index: number, rotation = Number.POSITIVE_INFINITY): string =>
  `${run.index}-${Math.floor(index / rotation)}`;
/** The key and the IV of initialization sections. */
export const INIT_KEY = 'init';
export const INIT_IV = 7;
export const ivOf = (number: number): string => `0x${number.toString(16).padStart(32, '0')}`;

/** Milliseconds by which dates with jitter are wrong at most. */
export const MAX_JITTER = 8;

function dateOf(at: number, index: number, { dates = 'all' }: LiveState['options'], isFirst: boolean): string[] {
  if (dates === 'none' || (dates === 'first' && !isFirst)) return [];
  const jitter = dates === 'jitter' ? ((index * 7919) % (2 * MAX_JITTER + 1)) - MAX_JITTER : 0;
  const shown = dates === 'truncated' ? Math.floor(at / 1000) * 1000 : Math.round(at + jitter);
  return [`#EXT-X-PROGRAM-DATE-TIME:${new Date(shown).toISOString()}`];
}

/** @param one the rendition; undefined for subtitles */
export function writeMediaPlaylist(state: LiveState, one: OnAir | undefined): string {
  const { broadcast, options, run, now } = state;
  const { window = WINDOW, encryption } = options;
  const { loop } = broadcast;
  const name = one?.name ?? SUBTITLES;
  const last = state.edge(name);
  const first = Math.max(0, last - window + 1);
  const query = options.query?.() ?? '';
  const breaks = broadcast.breaksBetween(run, first - 1, last + 60);
  const { segmentMs } = loop;
  const lead = Math.round(((run.breaks.lead ?? 0) * 1000) / segmentMs);
  const context = {
    ...{ form: options.hlsMarkers ?? ('none' as const), breaks, first, last, segmentMs, lead },
    startOf: (index: number) => broadcast.startOf(run, index),
    mediaMsOf: (index: number) => broadcast.mediaMsOf(run, index),
  };
  const longest = one === undefined ? segmentMs : (1000 * longestOf(one)) / one.rendition.timescale;
  const sequence = run.firstNumber + first;
  const lines = [
    ...['#EXTM3U', `#EXT-X-VERSION:${options.defines ? 8 : 7}`, `#EXT-X-TARGETDURATION:${Math.round(longest / 1000)}`],
    `#EXT-X-MEDIA-SEQUENCE:${sequence}`,
    ...(options.defines ? [`#EXT-X-DEFINE:NAME="path",VALUE="${name}/${run.index}"`] : []),
  ];
  // RFC 8216 §6.2.2: counts the discontinuities that have left the playlist.
  const gone = first === 0 ? 0 : broadcast.stretchOf(run, first - 1);
  if (broadcast.stretchOf(run, last) > 0) lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${gone}`);
  const path = options.defines ? '{$path}' : `${name}/${run.index}`;
  let key = '';
  let isFirst = true;
  let rangeEnd: string | undefined;
  for (let index = first; index <= last; index += 1) {
    const number = run.firstNumber + index;
    const isNew = broadcast.isDiscontinuity(run, index);
    if (isNew) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(...markersBefore(index, context));
    const hasInit = one === undefined ? options.subtitles !== 'vtt' : one.rendition.init !== undefined;
    if (isFirst && hasInit) {
      if (encryption?.coversInit && one !== undefined)
        lines.push(`#EXT-X-KEY:METHOD=AES-128,URI="keys/${INIT_KEY}.key${query}",IV=${ivOf(INIT_IV)}`);
      const length = options.byteRanges && one?.rendition.init?.length;
      if (length) lines.push(`#EXT-X-MAP:URI="${name}/${RANGED_INIT.file}",BYTERANGE="${length}@${RANGED_INIT.start}"`);
      else lines.push(`#EXT-X-MAP:URI="${name}/init.mp4${query}"`);
    }
    const nextKey = keyName(run, index, encryption?.rotation);
    if (encryption !== undefined && one !== undefined && (nextKey !== key || encryption.isIvStated)) {
      const iv = encryption.isIvStated ? `,IV=${ivOf(number)}` : '';
      lines.push(`#EXT-X-KEY:METHOD=AES-128,URI="keys/${nextKey}.key${query}"${iv}`);
      key = nextKey;
    }
    const offset = one === undefined ? 0 : offsetMs(one, broadcast, index);
    lines.push(...dateOf(broadcast.startOf(run, index) + offset, index, options, isFirst || isNew));
    if (run.gaps.has(index)) lines.push('#EXT-X-GAP');
    const seconds = one === undefined ? segmentMs / 1000 : one.media.source(index).duration / one.rendition.timescale;
    lines.push(`#EXTINF:${seconds.toFixed(6)},`);
    if (one !== undefined && options.byteRanges) {
      const { file, start, length } = rangeOf(one, index);
      const isNext = rangeEnd === `${file} ${start}`;
      lines.push(`#EXT-X-BYTERANGE:${length}${isNext ? '' : `@${start}`}`, `${path}/${file}${query}`);
      rangeEnd = `${file} ${start + length}`;
    } else lines.push(`${path}/${number}.${extensionOf(one, state)}${query}`);
    isFirst = false;
  }
  if (now < run.startedAt) throw new Error('the encoder is not running');
  return `${lines.join('\n')}\n`;
}

const longestOf = ({ rendition }: OnAir): number => Math.max(...rendition.segments.map(({ duration }) => duration));

/** The place of a segment in its file of several segments. */
function rangeOf({ media }: OnAir, index: number) {
  const chunk = Math.floor(index / CHUNK);
  const sizes = Array.from({ length: index - chunk * CHUNK }, (_, at) => sizeOf(media, chunk * CHUNK + at));
  return {
    file: `chunk${chunk}.bin`,
    start: sizes.reduce((sum, size) => sum + size, 0),
    length: sizeOf(media, index),
  };
}
const sizeOf = (media: OnAir['media'], index: number): number => media.source(index).bytes.length;
