// SPDX-License-Identifier: Apache-2.0
// Live origins and their breaks, each with what viewers are meant to see.
import type { OriginBreak } from '../origin/breakPlan.ts';
import type { LiveOriginSetup } from '../origin/liveOrigin.ts';
import type { Watching } from '../viewer.ts';

export type LiveBreakCase = {
  readonly name: string;
  readonly origin: Omit<LiveOriginSetup, 'clock' | 'breaks'>;
  readonly breaks: Omit<NonNullable<LiveOriginSetup['breaks']>, 'every' | 'seconds'>;
  /** Which URLs of the origin the channel takes; default `hls`. */
  readonly takes?: 'hls' | 'dash' | 'both';
  readonly channel?: object;
  /** The formats of the viewer's session; default: both from one session. */
  readonly watching?: Partial<Watching>;
  /** Whether content follows the ads within the break. */
  readonly fillsContent?: boolean;
  /** Whether ffmpeg decodes what was seen: one case of each kind of media, and of each way in which a break ends. */
  readonly isDecoded?: boolean;
  /** Where viewers see the end of a break, in segments; default: where it ends. */
  readonly endOf?: (one: OriginBreak) => number;
};

/** Announced seconds of a break. */
export const SECONDS = 12;
/** Seconds from the start of a break to the next. */
export const EVERY = 44;
const asAnnounced = ({ start }: OriginBreak): number => start + SECONDS / 2;
const afterTenSeconds = ({ start }: OriginBreak): number => start + 5;
const hlsOnly: Partial<Watching> = { dash: false };
const dashOnly: Partial<Watching> = { hls: false, opens: 'dash' };

const ofHls: readonly LiveBreakCase[] = [
  {
    name: 'CMAF with tags that are repeated, in both formats',
    origin: { hlsMarkers: 'cue', languages: ['en', 'sv'] },
    breaks: { behaviour: 'twice' },
  },
  {
    name: 'encrypted MPEG-TS whose breaks end early',
    isDecoded: true,
    origin: { hlsMarkers: 'elemental', packaging: 'ts', encryption: { isIvStated: true } },
    breaks: { behaviour: 'early' },
    watching: hlsOnly,
  },
  {
    name: 'muxed MPEG-TS with tokens whose breaks go on',
    isDecoded: true,
    origin: { hlsMarkers: 'cue-slash', packaging: 'muxed', access: 'token' },
    breaks: { behaviour: 'extended' },
    watching: hlsOnly,
  },
  {
    name: 'continuations and an end that are marked after the announced length',
    origin: { hlsMarkers: 'elemental', dates: 'jitter', gzips: true },
    breaks: { behaviour: 'late' },
    endOf: asAnnounced,
  },
  {
    name: 'MPEG-TS whose breaks have no stated length',
    origin: { hlsMarkers: 'scte35', packaging: 'ts' },
    breaks: { behaviour: 'unknown' },
    watching: hlsOnly,
  },
  {
    name: 'breaks that are announced ahead',
    origin: { hlsMarkers: 'daterange' },
    breaks: { behaviour: 'exact', lead: 20 },
  },
  {
    name: 'subtitles, and announced breaks that are extended',
    origin: { hlsMarkers: 'daterange', subtitles: 'vtt' },
    breaks: { behaviour: 'extended', lead: 8 },
    watching: hlsOnly,
  },
  {
    name: 'nested breaks',
    isDecoded: true,
    origin: { hlsMarkers: 'cue', packaging: 'muxed', loops: 'discontinuity' },
    breaks: { behaviour: 'nested' },
    watching: hlsOnly,
  },
  {
    name: 'breaks that state neither length nor end',
    origin: { hlsMarkers: 'cue', packaging: 'muxed' },
    breaks: { behaviour: 'never' },
    channel: { maxBreakDuration: 10 },
    watching: hlsOnly,
    endOf: afterTenSeconds,
  },
  ...[hlsOnly, dashOnly].map(
    (watching): LiveBreakCase => ({
      name: `breaks whose remainder shows the content of the origin, in ${watching === hlsOnly ? 'HLS' : 'DASH'}`,
      origin: { hlsMarkers: 'adobe' },
      breaks: { behaviour: 'exact' },
      channel: { breakFill: 'content' },
      watching,
      fillsContent: true,
      isDecoded: watching === hlsOnly,
      endOf: afterTenSeconds,
    }),
  ),
];

const ofDash: readonly LiveBreakCase[] = [
  {
    name: 'an MPD with a timeline of times whose breaks are extended',
    isDecoded: true,
    origin: { dashMarkers: 'xml', addressing: 'time' },
    breaks: { behaviour: 'extended' },
  },
  {
    name: 'an MPD with a timeline of numbers whose breaks end early',
    origin: { dashMarkers: 'xml+bin', addressing: 'number', mediaTime: 'unix' },
    breaks: { behaviour: 'early', lead: 10 },
  },
  {
    name: 'an MPD without a timeline whose events are in the segments',
    origin: { dashMarkers: 'inband', addressing: 'duration' },
    breaks: { behaviour: 'noIn' },
  },
  {
    name: 'an MPD whose breaks state neither length nor end',
    origin: { dashMarkers: 'direct' },
    breaks: { behaviour: 'never' },
    channel: { maxBreakDuration: 10 },
    endOf: afterTenSeconds,
  },
];

export const liveBreakCases: readonly LiveBreakCase[] = [
  ...ofHls,
  ...ofDash.map((one): LiveBreakCase => ({ ...one, takes: 'dash', watching: dashOnly })),
];
