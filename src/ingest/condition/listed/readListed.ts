// One rendition of a creative, read whole before it is listed as it is: every segment is there, may be read by players of
// any page, and holds what its import says, to the tick. What is read is measured and let go.
import { audioFrameSamples } from '../../../ads/creative/conditionedAsset.ts';
import type { MismatchCode } from '../../../ads/creative/matchCreative.ts';
import { readFragmentTimes } from '../../../mp4/readFragmentTimes.ts';
import { type InitTrack, readInit } from '../../../mp4/readInit.ts';
import { startsWithSync } from '../../../mp4/startsWithSync.ts';
import type { FrameRate } from '../../../time/units.ts';
import type { Rendition } from '../../../timeline/asset/asset.ts';
import { segmentUrl } from '../../../timeline/asset/segmentUrl.ts';
import type { Origin, ReadResult } from '../../ports.ts';

/** What a manifest may tell of it, measured; or why it can't be listed. */
export type ListedRates = { readonly bandwidth: number; readonly averageBandwidth: number };
export type Unlisted = { readonly unlike: string; readonly code?: UnlistedCode | MismatchCode };
export type UnlistedCode =
  | 'TOO_LONG'
  | 'TOO_LARGE'
  | 'NOT_FETCHED'
  | 'NOT_FOR_ANY_PAGE'
  | 'NOT_HTTPS'
  | 'QUERY'
  | 'OTHER_TIMES'
  | 'NO_KEY_FRAME';

export type ListedReading = {
  readonly origin: Origin;
  /** Players are on https pages: plain http would be blocked as mixed content. */
  readonly httpsOnly: boolean;
  /** Bytes that may still be read of the creative. */
  left: number;
};

const LARGEST_INIT = 1 << 20;
const SEGMENT_MS = 30_000;
/** A page that was sent on from another host has this origin (Fetch standard, "redirect-tainted origin"). */
const ANY_PAGE = { origin: 'null' };

export async function readListed(
  rendition: Rendition,
  rate: FrameRate,
  reading: ListedReading,
): Promise<ListedRates | Unlisted> {
  const track = rendition.tracks[0]!;
  const { borders } = track;
  if (track.init === undefined) return { unlike: 'it has no initialisation section' };
  const init = await read(track.init.url, reading, LARGEST_INIT);
  if (!init.ok) return { code: init.code, unlike: `its initialisation section ${init.reason}` };
  const own = ownTrack(init.bytes, rendition);
  if (typeof own === 'string') return { unlike: own };
  const unit = unitOf(rendition, rate);
  if (unit === undefined) return { unlike: `a frame is no whole number of its ticks (1/${rendition.timescale} s)` };

  const bits: number[] = [];
  for (let index = 0; index + 1 < borders.length; index += 1) {
    const segment = await read(segmentUrl(track, index).url, reading, reading.left);
    if (!segment.ok) return { code: segment.code, unlike: `its segment ${index} ${segment.reason}` };
    reading.left -= segment.bytes.length;
    bits.push(8 * segment.bytes.length);
    const fault = segmentFault(segment.bytes, init.bytes, own, unit, borders[index]!, borders[index + 1]!);
    if (fault !== undefined) return { ...fault, unlike: `its segment ${index} ${fault.unlike}` };
  }
  const seconds = (from: number, to: number): number => (borders[to]! - borders[from]!) / rendition.timescale;
  const total = bits.reduce((sum, one) => sum + one, 0);
  return {
    bandwidth: Math.ceil(Math.max(...bits.map((one, index) => one / seconds(index, index + 1)))),
    averageBandwidth: Math.ceil(total / seconds(0, bits.length)),
  };
}

type Unread = { readonly ok: false; readonly code: UnlistedCode; readonly reason: string };

async function read(
  url: string,
  reading: ListedReading,
  maxBytes: number,
): Promise<Extract<ReadResult, { ok: true }> | Unread> {
  const unfit = addressFault(url, reading.httpsOnly);
  if (unfit !== undefined) return unfit;
  const answer = await reading.origin.read(url, { maxBytes, timeoutMs: SEGMENT_MS, headers: ANY_PAGE });
  if (!answer.ok) return { ok: false, code: answer.isTooLarge ? 'TOO_LARGE' : 'NOT_FETCHED', reason: answer.reason };
  const moved = addressFault(answer.url, reading.httpsOnly);
  if (moved !== undefined) return moved;
  if (answer.allowOrigin === '*' || answer.allowOrigin === 'null') return answer;
  const reason = 'may not be read by players of any page (access-control-allow-origin)';
  return { ok: false, code: 'NOT_FOR_ANY_PAGE', reason };
}

/** Addresses that will not be there, or not for every viewer, for as long as the creative is used. */
function addressFault(url: string, httpsOnly: boolean): Unread | undefined {
  const { protocol, search } = new URL(url);
  if (httpsOnly && protocol !== 'https:')
    return { ok: false, code: 'NOT_HTTPS', reason: 'is not on https, as the live address is' };
  if (search === '') return undefined;
  return { ok: false, code: 'QUERY', reason: 'has a query in its address, which may end or be one viewer’s' };
}

function ownTrack(init: Uint8Array, { kind, timescale }: Rendition): InitTrack | string {
  const tracks = readInit(init) ?? [];
  const [track] = tracks;
  if (track === undefined || tracks.length > 1) return `one track is wanted in each file, it has ${tracks.length}`;
  if (track.handler !== (kind === 'audio' ? 'soun' : 'vide')) return `${kind} is wanted, its track is ${track.handler}`;
  if (track.encryption !== undefined) return `it is encrypted (${track.encryption})`;
  if (track.timescale !== timescale) return 'its ticks change between its files';
  // Players that go by decode times, and many do, would leave a hole at its start or its end.
  return track.editShift === 0 ? track : 'an edit list moves its times, which not every player follows';
}

/** Ticks of a picture, or of an audio frame. */
function unitOf({ kind, codecs, timescale, sampleRate = timescale }: Rendition, rate: FrameRate): number | undefined {
  const unit = kind === 'audio' ? (audioFrameSamples(codecs) * timescale) / sampleRate : (timescale * rate.d) / rate.n;
  return Number.isInteger(unit) ? unit : undefined;
}

/** What is wrong with a segment, as a predicate. */
function segmentFault(
  bytes: Uint8Array,
  init: Uint8Array,
  { id, handler, defaultDuration }: InitTrack,
  unit: number,
  from: number,
  to: number,
): Unlisted | undefined {
  const { fragments, bytesNeeded } = readFragmentTimes(bytes, new Map([[id, defaultDuration]]));
  if (bytesNeeded !== undefined || fragments.length === 0 || fragments.some(({ trackId }) => trackId !== id)) {
    return { unlike: 'is no whole fragment of its track alone' };
  }
  let at = from;
  for (const { decodeTime, duration, durations } of fragments) {
    if (decodeTime !== at) return otherTimes(`is decoded from tick ${decodeTime} on and listed from ${at} on`);
    if ([...durations.keys()].some((ticks) => ticks !== unit))
      return otherTimes(`has frames that do not last ${unit} ticks each`);
    at += duration;
  }
  if (at !== to) return otherTimes(`ends at tick ${at} and is listed until ${to}`);
  const earliest = Math.min(...fragments.map((fragment) => fragment.earliest));
  if (earliest !== from)
    return otherTimes(`shows its first picture at tick ${earliest} and is decoded from ${from} on`);
  if (handler === 'vide' && !startsWithSync(init, bytes))
    return { code: 'NO_KEY_FRAME', unlike: 'does not begin with a key frame' };
  return undefined;
}

const otherTimes = (unlike: string): Unlisted => ({ code: 'OTHER_TIMES', unlike });
