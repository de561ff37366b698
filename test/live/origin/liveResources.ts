// SPDX-License-Identifier: Apache-2.0
// The resources of a test's live origin: manifests, segments and keys, by path.
import { createCipheriv, createHash } from 'node:crypto';
import { inbandEvents } from './markers/dashMarkers.ts';
import { textInit, textSegment } from './media/liveText.ts';
import { type OriginReply, type OriginRequest, reply } from './originFault.ts';
import { type LiveState, mediaTime, type OnAir, SUBTITLES, WINDOW } from './write/livePresentation.ts';
import { writeLiveMpd } from './write/writeLiveMpd.ts';
import {
  CHUNK,
  INIT_IV,
  INIT_KEY,
  keyName,
  RANGED_INIT,
  writeMediaPlaylist,
  writeMultivariant,
} from './write/writePlaylists.ts';

const HLS = 'application/vnd.apple.mpegurl';
/** Segments that the origin keeps after they have left the playlist. */
const KEPT = 60;
const notFound = reply(404, 'Not found');
const typeOf = (path: string): string => (path.endsWith('.ts') ? 'video/mp2t' : 'video/mp4');
const keyOf = (name: string): Buffer => createHash('sha256').update(name).digest().subarray(0, 16);

export function describePath(path: string): Pick<OriginRequest, 'kind' | 'name'> {
  const [, name] = /^\/([avt]\d+)[./]/.exec(path) ?? [];
  const named = name === undefined ? {} : { name };
  if (path === '/master.m3u8') return { kind: 'multivariant' };
  if (path.endsWith('.m3u8')) return { kind: 'media', ...named };
  if (path.endsWith('.mpd')) return { kind: 'mpd' };
  if (path.startsWith('/keys/')) return { kind: 'key' };
  if (name === undefined) return { kind: 'other' };
  return { kind: path.endsWith('/init.mp4') ? 'init' : 'segment', name };
}

function subtitle({ broadcast, options }: LiveState, runIndex: number, index: number): OriginReply {
  const { subtitles = 'vtt' } = options;
  const run = broadcast.runs[runIndex]!;
  const at = broadcast.mediaMsOf(run, index);
  const body = textSegment(subtitles, run.firstNumber + index, at, broadcast.loop.segmentMs);
  return reply(200, body, subtitles === 'vtt' ? 'text/vtt' : 'application/mp4');
}

function mediaSegment(state: LiveState, one: OnAir, runIndex: number, index: number, hasEvents = true): Uint8Array {
  const { broadcast, options } = state;
  const run = broadcast.runs[runIndex]!;
  const { segmentMs } = broadcast.loop;
  const context = {
    ...{ form: options.dashMarkers ?? ('none' as const), last: index, segmentMs },
    breaks: broadcast.breaksBetween(run, index - 200, index + 60),
    lead: Math.round(((run.breaks.lead ?? 0) * 1000) / segmentMs),
    mediaMsOf: (at: number) => broadcast.mediaMsOf(run, index) + (at - index) * segmentMs,
  };
  const events = hasEvents && one.rendition.kind === 'video' ? inbandEvents(context, index) : [];
  const number = run.firstNumber + index;
  const clear = one.media.segment(index, broadcast.mediaMsOf(run, index), number, events);
  const { encryption } = options;
  return encryption === undefined ? clear : encrypted(clear, keyName(run, index, encryption.rotation), number);
}

function encrypted(clear: Uint8Array, key: string, number: number): Uint8Array {
  const iv = Buffer.alloc(16);
  iv.writeUInt32BE(number, 12);
  const cipher = createCipheriv('aes-128-cbc', keyOf(key), iv);
  return Buffer.concat([cipher.update(clear), cipher.final()]);
}

const initOf = ({ options }: LiveState, init: Uint8Array): Uint8Array =>
  options.encryption?.coversInit ? encrypted(init, INIT_KEY, INIT_IV) : init;

/** The segment of a file name: a number, or `t` and a media time in the stretch that the path names. */
function indexOf(state: LiveState, one: OnAir | undefined, runIndex: number, file: string): number | undefined {
  const run = state.broadcast.runs[runIndex];
  if (run === undefined) return undefined;
  const [, stretch, time] = /^(\d+)\/t(\d+)\./.exec(file) ?? [];
  if (time === undefined) return /^\d+\./.test(file) ? Number.parseInt(file, 10) - run.firstNumber : undefined;
  for (let index = state.broadcast.edgeAt(run, state.now); index >= 0; index -= 1) {
    const isMeant = state.broadcast.stretchOf(run, index) === Number(stretch);
    const own = one === undefined ? state.broadcast.mediaMsOf(run, index) : mediaTime(one, state.broadcast, run, index);
    if (isMeant && own === Number(time)) return index;
  }
  return undefined;
}

function segmentReply(state: LiveState, path: string, range: string | undefined): OriginReply {
  const [, name, runText, file] = /^\/([avt]\d+)\/(\d+)\/(.+)$/.exec(path) ?? [];
  const one = state.onAir.find((each) => each.name === name);
  const [, chunk] = /^chunk(\d+)\.bin$/.exec(file ?? '') ?? [];
  if (name === undefined || (one === undefined && name !== SUBTITLES)) return notFound;
  const run = Number(runText);
  if (chunk !== undefined && one !== undefined) return chunkReply(state, one, run, Number(chunk), range);
  const index = indexOf(state, one, run, file!);
  if (index === undefined || !isThere(state, run, index)) return notFound;
  if (one === undefined) return subtitle(state, run, index);
  return reply(200, mediaSegment(state, one, run, index), typeOf(path));
}

function isThere({ broadcast, now, options }: LiveState, runIndex: number, index: number): boolean {
  const run = broadcast.runs[runIndex];
  if (run === undefined || run.gaps.has(index) || index < 0) return false;
  const edge = broadcast.edgeAt(run, now);
  return index <= edge && index > edge - (options.window ?? WINDOW) - KEPT;
}

function chunkReply(state: LiveState, one: OnAir, run: number, chunk: number, range: string | undefined): OriginReply {
  const indices = Array.from({ length: CHUNK }, (_, at) => chunk * CHUNK + at).filter((at) => isThere(state, run, at));
  return partOf(Buffer.concat(indices.map((index) => mediaSegment(state, one, run, index, false))), range);
}

/** @param range the value of the Range header */
function partOf(body: Buffer, range: string | undefined): OriginReply {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (from === undefined) return reply(200, body, 'video/mp4');
  if (Number(from) >= body.length) return reply(416, '');
  const part = body.subarray(Number(from), Number(to) + 1);
  const contentRange = `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`;
  return { ...reply(206, part, 'video/mp4'), headers: { 'content-range': contentRange } };
}

/** @param range the value of the Range header */
export function replyTo(state: LiveState, path: string, range?: string): OriginReply {
  const { kind, name } = describePath(path);
  const one = state.onAir.find((each) => each.name === name);
  if (kind === 'multivariant') return reply(200, writeMultivariant(state), HLS);
  if (kind === 'media' && (one !== undefined || name === SUBTITLES)) {
    return reply(200, writeMediaPlaylist(state, one), HLS);
  }
  if (kind === 'mpd') return reply(200, writeLiveMpd(state), 'application/dash+xml');
  if (kind === 'key') return reply(200, keyOf(path.slice(6, -4)), 'application/octet-stream');
  const init = name === SUBTITLES && state.options.subtitles && textInit(state.options.subtitles);
  if (kind === 'init' && init) return reply(200, init, 'application/mp4');
  if (path.endsWith(`/${RANGED_INIT.file}`) && one?.rendition.init)
    return partOf(Buffer.concat([Buffer.alloc(RANGED_INIT.start), one.rendition.init]), range);
  if (kind === 'init' && one?.rendition.init) return reply(200, initOf(state, one.rendition.init), 'video/mp4');
  return kind === 'segment' ? segmentReply(state, path, range) : notFound;
}
