// SPDX-License-Identifier: Apache-2.0
// Decides whether a creative in HLS or DASH is used as is: if it matches the channel's ladder exactly, manifests list its
// segments at its own host, and only their URLs are stored. Otherwise the reason is kept and the creative is conditioned.
import { audioFrameSamples } from '../../../ads/creative/conditionedAsset.ts';
import { type MismatchCode, matchCreative } from '../../../ads/creative/matchCreative.ts';
import { defined } from '../../../invariant.ts';
import { readFragmentTimes } from '../../../mp4/readFragmentTimes.ts';
import { type InitTrack, readInit } from '../../../mp4/readInit.ts';
import { startsWithSync } from '../../../mp4/trackFragment.ts';
import { numberAt } from '../../../time/row.ts';
import { type FrameRate, flicksToSeconds } from '../../../time/units.ts';
import type { Asset, Rendition } from '../../../timeline/asset/asset.ts';
import { segmentUrl } from '../../../timeline/asset/segmentUrl.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import type { ImportResult } from '../../import/importAsset.ts';
import { type SegmentRate, segmentRates } from '../../measure/estimateBandwidth.ts';
import type { PackagedMedia } from '../../package/packagedMedia.ts';
import type { Origin, ReadResult } from '../../ports.ts';
import { limitOrigin } from '../../source/limitOrigin.ts';

export type ListLimits = {
  readonly httpsOnly: boolean;
  /** Seconds of the creative, and bytes of all of its renditions together. */
  readonly maxSeconds: number;
  readonly maxBytes: number;
};

/** For reading the whole creative. */
const TOTAL_TIMEOUT_MS = 120_000;
const CONCURRENT_READS = 4;

export async function listCreative(
  id: string,
  imported: ImportResult,
  ladder: Ladder,
  origin: Origin,
  limits: ListLimits,
): Promise<PackagedMedia | Unlisted> {
  if (!imported.ok) return { unlike: imported.reason };
  const seconds = flicksToSeconds(imported.asset.duration);
  if (seconds > limits.maxSeconds) {
    const unlike = `it must last at most ${limits.maxSeconds} s; it lasts ${Math.ceil(seconds)} s`;
    return { code: 'TOO_LONG', unlike };
  }
  const declared = matchCreative(imported.asset, ladder);
  if ('unlike' in declared) return declared;
  const measured = await readAll(declared.renditions, ladder, origin, limits);
  if ('unlike' in measured) return measured;
  const renditions = declared.renditions.map((rendition) =>
    defined(measured.get(rendition), 'every rendition was read'),
  );
  // The first match used the bit rates of the manifest, the second one uses the measured ones.
  const matched = matchCreative({ ...imported.asset, renditions }, ladder);
  return 'unlike' in matched ? matched : packaged(id, { ...imported.asset, ...matched }, ladder);
}

/** Reads all renditions. The first failure cancels the others. */
async function readAll(
  renditions: readonly Rendition[],
  { frameRate }: Ladder,
  origin: Origin,
  { httpsOnly, maxBytes }: ListLimits,
): Promise<Map<Rendition, Rendition> | Unlisted> {
  const over = new AbortController();
  const limits = { concurrency: CONCURRENT_READS, timeoutMs: TOTAL_TIMEOUT_MS, signal: over.signal };
  const limited = limitOrigin(origin, limits);
  const reading: ListedReading = { origin: limited, httpsOnly, left: maxBytes };
  const measured = new Map<Rendition, Rendition>();
  let unlisted: Unlisted | undefined;
  await Promise.all(
    [...new Set(renditions)].map(async (rendition) => {
      const rates = await readListed(rendition, frameRate, reading);
      if (!('unlike' in rates)) measured.set(rendition, { ...rendition, ...rates });
      else {
        unlisted ??= { ...rates, unlike: `${rendition.id}: ${rates.unlike}` };
        over.abort();
      }
    }),
  );
  return unlisted ?? measured;
}

type Listed = Asset & { readonly frames: number };

function packaged(id: string, { frames, ...asset }: Listed, { container, frameRate }: Ladder): PackagedMedia {
  const rungs = asset.renditions.map((each) => {
    const { codecs, timescale, bandwidth, averageBandwidth } = each;
    return { codecs, timescale, bandwidth, averageBandwidth };
  });
  // The URL of its manifest may contain a secret and is not needed any more.
  const media = { id, frames, rungs, asset: { ...asset, url: '' } };
  return { kind: 'creative', container, frameRate, media, tracks: [], rungs: [] };
}

// Reads every segment of a rendition before it is used as is: each must exist, be readable by players on any page, and have
// exactly the times of its import. The media are measured, not stored.

type Rates = ReturnType<typeof segmentRates>;
/** Why a creative cannot be used as is; `unlike` is for operators. */
export type Unlisted = { readonly unlike: string; readonly code?: UnlistedCode | MismatchCode };
type UnlistedCode =
  | 'TOO_LONG'
  | 'TOO_LARGE'
  | 'NOT_FETCHED'
  | 'NOT_FOR_ANY_PAGE'
  | 'NOT_HTTPS'
  | 'QUERY'
  | 'OTHER_TIMES'
  | 'NO_KEY_FRAME';

type ListedReading = {
  readonly origin: Origin;
  /** True if players are on https pages, which block plain http as mixed content. */
  readonly httpsOnly: boolean;
  left: number;
};

const MAX_INIT_BYTES = 1 << 20;
const SEGMENT_TIMEOUT_MS = 30_000;
/** The origin that a browser sends after a redirect from another host (Fetch standard, "redirect-tainted origin"). */
const ANY_PAGE = { origin: 'null' };

async function readListed(rendition: Rendition, rate: FrameRate, reading: ListedReading): Promise<Rates | Unlisted> {
  const [track] = rendition.tracks;
  if (track?.init === undefined) return { unlike: 'it must have an initialization section' };
  const { borders } = track;
  const init = await read(track.init.url, reading, MAX_INIT_BYTES);
  if (!init.ok) return { code: init.code, unlike: `its initialization section ${init.reason}` };
  const own = ownTrack(init.bytes, rendition);
  if (typeof own === 'string') return { unlike: own };
  const unit = unitOf(rendition, rate);
  if (unit === undefined)
    return { unlike: `its timescale must be a multiple of its frame rate; it is ${rendition.timescale}` };

  const rates: SegmentRate[] = [];
  for (let index = 0; index + 1 < borders.length; index += 1) {
    const segment = await read(segmentUrl(track, index).url, reading, reading.left);
    if (!segment.ok) return { code: segment.code, unlike: `its segment ${index} ${segment.reason}` };
    reading.left -= segment.bytes.length;
    const [from, to] = [numberAt(borders, index), numberAt(borders, index + 1)];
    rates.push({ bits: 8 * segment.bytes.length, seconds: (to - from) / rendition.timescale });
    const fault = segmentFault(segment.bytes, { init: init.bytes, own, unit }, from, to);
    if (fault !== undefined) return { ...fault, unlike: `its segment ${index} ${fault.unlike}` };
  }
  return segmentRates(rates);
}

type SuccessfulRead = Extract<ReadResult, { ok: true }>;
type Unread = { readonly ok: false; readonly code: UnlistedCode; readonly reason: string };

async function read(url: string, reading: ListedReading, maxBytes: number): Promise<SuccessfulRead | Unread> {
  const unfit = urlFault(url, reading.httpsOnly);
  if (unfit !== undefined) return unfit;
  const result = await reading.origin.read(url, { maxBytes, timeoutMs: SEGMENT_TIMEOUT_MS, headers: ANY_PAGE });
  if (!result.ok) return { ok: false, code: result.isTooLarge ? 'TOO_LARGE' : 'NOT_FETCHED', reason: result.reason };
  const redirected = urlFault(result.url, reading.httpsOnly);
  if (redirected !== undefined) return redirected;
  if (result.allowOrigin === '*' || result.allowOrigin === 'null') return result;
  const reason = 'must be readable by players on any page: its server must send access-control-allow-origin: *';
  return { ok: false, code: 'NOT_FOR_ANY_PAGE', reason };
}

/** What is wrong with a URL that may not be valid for every viewer, or not for as long as the creative is used. */
function urlFault(url: string, httpsOnly: boolean): Unread | undefined {
  const { protocol, search } = new URL(url);
  if (httpsOnly && protocol !== 'https:')
    return { ok: false, code: 'NOT_HTTPS', reason: 'must be on https, because playback URLs are' };
  if (search === '') return undefined;
  return { ok: false, code: 'QUERY', reason: 'must have a URL without a query, which may expire or be for one viewer' };
}

function ownTrack(init: Uint8Array, { kind, timescale }: Rendition): InitTrack | string {
  const tracks = readInit(init) ?? [];
  const [track] = tracks;
  if (track === undefined || tracks.length > 1) return `each file must have one track; got ${tracks.length}`;
  if (track.handler !== (kind === 'audio' ? 'soun' : 'vide')) return `its track must be ${kind}; got ${track.handler}`;
  if (track.encryption !== undefined) return `its media must be clear; they are encrypted (${track.encryption})`;
  if (track.timescale !== timescale) return 'its files must all have the same timescale';
  // Players that position media by decode times, as many do, would leave a gap at its start or end.
  return track.editShift === 0 ? track : 'it must not have an edit list, which some players ignore';
}

/** Ticks per video or audio frame. @returns undefined if it is not a whole number */
function unitOf({ kind, codecs, timescale, sampleRate = timescale }: Rendition, rate: FrameRate): number | undefined {
  const unit = kind === 'audio' ? (audioFrameSamples(codecs) * timescale) / sampleRate : (timescale * rate.d) / rate.n;
  return Number.isInteger(unit) ? unit : undefined;
}

type Expected = { readonly init: Uint8Array; readonly own: InitTrack; readonly unit: number };

function segmentFault(bytes: Uint8Array, expected: Expected, from: number, to: number): Unlisted | undefined {
  const { init, own, unit } = expected;
  const { id, handler, defaultDuration } = own;
  const { fragments, bytesNeeded } = readFragmentTimes(bytes, new Map([[id, defaultDuration]]));
  if (bytesNeeded !== undefined || fragments.length === 0 || fragments.some(({ trackId }) => trackId !== id)) {
    return { unlike: 'must consist of complete fragments of its one track' };
  }
  const timed = (ticks: number): string => `${((1000 * ticks) / own.timescale).toFixed(3)} ms`;
  let at = from;
  for (const { decodeTime, duration, durations } of fragments) {
    if (decodeTime !== at)
      return otherTimes(`must start at ${timed(at)}, at which it is listed; got ${timed(decodeTime)}`);
    const other = [...durations.keys()].find((ticks) => ticks !== unit);
    if (other !== undefined) return otherTimes(`must have frames of ${timed(unit)}; got ${timed(other)}`);
    at += duration;
  }
  if (at !== to) return otherTimes(`must end at ${timed(to)}, until which it is listed; got ${timed(at)}`);
  const earliest = Math.min(...fragments.map((fragment) => fragment.earliest));
  if (earliest !== from)
    return otherTimes(`must present its first frame at its start, ${timed(from)}; got ${timed(earliest)}`);
  if (handler === 'vide' && !startsWithSync(init, bytes))
    return { code: 'NO_KEY_FRAME', unlike: 'must begin with a key frame' };
  return undefined;
}

const otherTimes = (unlike: string): Unlisted => ({ code: 'OTHER_TIMES', unlike });
