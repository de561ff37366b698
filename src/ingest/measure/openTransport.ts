// Tracks in MPEG-2 transport streams (ISO/IEC 13818-1): the clock is 90 kHz, a segment starts with its first picture, or
// with its first audio frame when there are no pictures.
import { joinBytes } from '../../mp4/boxes.ts';
import { readAudioFrames } from '../../mpegts/readAudioFrames.ts';
import { readAvcParameters, readHevcParameters } from '../../mpegts/readParameterSet.ts';
import type { ElementaryStream, PesPacket, Transport } from '../../mpegts/readTransport.ts';
import { readTransport, TS_TIMESCALE, TS_WRAP } from '../../mpegts/readTransport.ts';
import type { FrameRate } from '../../time/units.ts';
import type { TransportLayout } from '../../timeline/transportLayout.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalTrack, Refusal } from '../source/presentation.ts';
import { pictureOf, refuseUnread, soundOf, type UnreadStream, unreadStream } from '../source/transportStreams.ts';
import { snapFrameRate } from './frameRate.ts';
import type { FrameLength, MediaFacts, OpenedTrack } from './openedTrack.ts';

/** @param init program tables of EXT-X-MAP (RFC 8216 §3.2), to be read before each segment; empty when there are none */
export async function openTransport(
  reader: MediaReader,
  track: NominalTrack,
  init: Uint8Array,
): Promise<OpenedTrack | Refusal> {
  async function packetsOf(index: number, isAllWanted: boolean): Promise<Transport | Refusal> {
    let read = isAllWanted ? await reader.whole(track, index) : await reader.head(track, index);
    for (;;) {
      if ('refused' in read) return read;
      const transport = readTransport(joinBytes([init, read.bytes]));
      const isEnough = transport !== undefined && mainPackets(transport).some(({ pts }) => pts !== undefined);
      if (isEnough) return transport;
      if (read.isWhole) return noPacket(index, transport);
      read = await reader.whole(track, index);
    }
  }

  const first = await packetsOf(0, true);
  if ('refused' in first) return first;
  const facts = factsOf(first);
  const frame = frameOf(first, facts);
  const firstSpan = spanIn(first, facts, frame); // all that is kept of it: closures must not hold its bytes
  return {
    facts,
    timescale: TS_TIMESCALE,
    wrap: TS_WRAP,
    ...(frame && { frame }),
    async startOf(index) {
      if (index === 0) return firstSpan.start;
      const transport = await packetsOf(index, false);
      return 'refused' in transport ? transport : timesOf(transport)[0]!;
    },
    async spanOf(index) {
      if (index === 0) return firstSpan;
      const transport = await packetsOf(index, true);
      return 'refused' in transport ? transport : spanIn(transport, facts, frame);
    },
  };
}

const greatest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);

const packetsOfStream = ({ packets }: Transport, stream: ElementaryStream | undefined): PesPacket[] =>
  stream === undefined ? [] : packets.filter(({ pid }) => pid === stream.pid);

const unreadIn = (transport: Transport): UnreadStream[] =>
  sentStreams(transport).flatMap((stream) => unreadStream(stream) ?? []);

function noPacket(index: number, transport: Transport | undefined): Refusal {
  const refused = `segment ${index} holds no picture or audio with a time stamp (PTS)`;
  const unread = transport === undefined ? [] : unreadIn(transport);
  return unread.length === 0 ? { refused } : refuseUnread(`${refused} that can be read, it holds`, unread);
}

/** A stream that the program map lists and nobody sends is no stream. */
const sentStreams = ({ streams, packets }: Transport): ElementaryStream[] =>
  streams.filter((stream) => packets.some(({ pid }) => pid === stream.pid));

function liveStreams(transport: Transport) {
  const sent = sentStreams(transport);
  const video = sent.find((stream) => pictureOf(stream) !== undefined);
  return { video, audio: sent.find((stream) => soundOf(stream) !== undefined) };
}

const mainPackets = (transport: Transport): PesPacket[] => {
  const { video, audio } = liveStreams(transport);
  return packetsOfStream(transport, video ?? audio);
};

/** Presentation times of the main stream, in the order of the packets, unwrapped within the segment. */
function timesOf(transport: Transport): number[] {
  const times = mainPackets(transport).flatMap(({ pts }) => (pts === undefined ? [] : [pts]));
  const near = times[0]!;
  return times.map((time) => time + TS_WRAP * Math.round((near - time) / TS_WRAP));
}

function factsOf(transport: Transport): MediaFacts {
  const { video, audio } = liveStreams(transport);
  const start = (stream: ElementaryStream): Uint8Array => {
    const packet = packetsOfStream(transport, stream).find(({ pts }) => pts !== undefined);
    return joinBytes(packet?.payload ?? []);
  };
  const picture = video && pictureOf(video);
  const seen =
    picture === 'avc'
      ? readAvcParameters(start(video!))
      : picture === 'hevc'
        ? readHevcParameters(start(video!))
        : undefined;
  const sound = audio && soundOf(audio);
  const heard = sound === 'aac' || sound === 'dolby' ? readAudioFrames(start(audio!), sound) : undefined;
  const times = video === undefined ? [] : [...new Set(timesOf(transport))];
  const rate = rateOf(times);
  return {
    kind: video === undefined ? 'audio' : audio === undefined ? 'video' : 'muxed',
    container: 'ts',
    ...(seen && { videoCodec: seen.codec }),
    ...(seen?.width && seen.height ? { width: seen.width, height: seen.height } : {}),
    ...(rate && { frameRate: rate }),
    ...(heard && { audioCodec: heard.codec, sampleRate: heard.sampleRate, channels: heard.channels }),
    ...(sound === 'other' ? { audioCodec: 'mp4a.40.2' } : {}),
    ...(sound === 'mpeg' ? { audioCodec: 'mp4a.40.34' } : {}),
    ...(audio?.language && { language: audio.language }),
    unread: unreadIn(transport),
    transport: layoutOf(transport),
  };
}

function layoutOf(transport: Transport): TransportLayout {
  const { transportId, program, mapPid, streams, packets } = transport;
  const { video, audio } = liveStreams(transport);
  const placed = streams.flatMap((stream) => {
    const kind = stream === video ? 'video' : stream === audio ? 'audio' : undefined;
    const packet = packets.find(({ pid }) => pid === stream.pid);
    if (kind === undefined || packet === undefined) return [];
    return [{ kind, pid: stream.pid, streamId: packet.streamId } as const];
  });
  return { transportId, program, mapPid, streams: placed };
}

/** What share of the pictures must follow each other alike to be on a grid of their own. */
const USUAL_SHARE = 0.9;

/** The rate of distinct presentation times; undefined when they are on no grid: then a mean says nothing of it. */
function rateOf(times: readonly number[]): FrameRate | undefined {
  if (times.length < 2) return undefined;
  const inOrder = [...times].sort((a, b) => a - b);
  const lengths = inOrder.slice(1).map((time, i) => time - inOrder[i]!);
  const usual = [...lengths].sort((a, b) => a - b)[lengths.length >> 1]!;
  // Time stamps are whole ticks, the frames of NTSC rates are not.
  const alike = lengths.filter((length) => Math.abs(length - usual) <= 1);
  const isGrid = alike.length >= USUAL_SHARE * lengths.length;
  const counted = isGrid ? alike : lengths;
  const total = counted.reduce((sum, length) => sum + length, 0);
  const rate = snapFrameRate((TS_TIMESCALE * counted.length) / total);
  return rate !== undefined && (isGrid || rate.d === 1 || rate.d === 1001) ? rate : undefined;
}

function frameOf(transport: Transport, facts: MediaFacts): FrameLength | undefined {
  if (facts.kind !== 'audio') {
    return facts.frameRate && { ticks: TS_TIMESCALE * facts.frameRate.d, frames: facts.frameRate.n };
  }
  const heard = heardIn(transport);
  return heard && { ticks: heard.frame * TS_TIMESCALE, frames: heard.sampleRate };
}

function heardIn(transport: Transport) {
  const { audio } = liveStreams(transport);
  const sound = audio && soundOf(audio);
  if (sound !== 'aac' && sound !== 'dolby') return undefined;
  return readAudioFrames(joinBytes(packetsOfStream(transport, audio).flatMap(({ payload }) => payload)), sound);
}

/** When the main stream of a whole segment starts, and how many ticks it lasts. */
function spanIn(transport: Transport, facts: MediaFacts, frame: FrameLength | undefined) {
  const times = timesOf(transport);
  const start = times[0]!;
  const heard = facts.kind === 'audio' ? heardIn(transport) : undefined;
  if (heard !== undefined) return { start, duration: Math.round((heard.samples * TS_TIMESCALE) / heard.sampleRate) };
  const last = greatest(times);
  if (frame !== undefined) return { start, duration: last - start + Math.round(frame.ticks / frame.frames) };
  const before = greatest(times.filter((time) => time < last));
  return Number.isFinite(before) ? { start, duration: 2 * last - before - start } : { start };
}
