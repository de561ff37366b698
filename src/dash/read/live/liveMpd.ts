// SPDX-License-Identifier: Apache-2.0
// The model of an MPD that is read again and again (MPD@type="dynamic", ISO/IEC 23009-1 5.3.1.2). Media times may count from
// 1970, so they are whole numbers without a limit, and places on the wall clock are instants.
import type { Flicks } from '../../../time/units.ts';
import type { MediaRef } from '../../../timeline/asset/asset.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import type { MpdRepresentation, SpliceEvent } from '../../mpd.ts';

/** How the MPD names segments: what is the same whenever it is read. */
export type LiveAddressing = 'number' | 'time' | 'list';

export type LiveSegment = {
  /** `$Number$`; for other addressing what it would be. */
  readonly number: number;
  /** Media time of its start, in ticks. */
  readonly time: bigint;
  readonly ticks: number;
  readonly startsAt: Instant;
  readonly duration: Flicks;
  readonly media: MediaRef;
};

/** Segments that are listed, but left out of a reading because they are old. */
export type EarlierSegments = { readonly count: number; readonly startsAt: Instant; readonly duration: Flicks };

/** The segments that are available now, in order; possibly none. */
export type LiveSegments = {
  readonly addressing: LiveAddressing;
  /** Whether the clock decides which segments are available: by @duration, or with an open repeat (S@r = −1). */
  readonly isClocked: boolean;
  readonly init?: MediaRef;
  readonly timescale: number;
  readonly presentationTimeOffset: bigint;
  readonly segments: readonly LiveSegment[];
  readonly earlier?: EarlierSegments;
};

/** A stream of events in the segments (5.10.3). */
export type InbandStream = { readonly scheme: string; readonly line: number };

export type LiveRepresentation = MpdRepresentation<LiveSegments> & {
  /** Names the rendition: the same whenever the MPD is read. */
  readonly key: string;
  /** The InbandEventStreams that carry SCTE-35 messages. */
  readonly inband: readonly InbandStream[];
};

export type LivePeriod = {
  /** For messages: `Period "p7"`. */
  readonly where: string;
  readonly line: number;
  /** Unique, and the same whenever the MPD is read; changes when the encoder restarts. */
  readonly stretch: string;
  readonly start: Instant;
  /** Absent while it is not known. */
  readonly end?: Instant;
  readonly representations: readonly LiveRepresentation[];
  /** Why an AdaptationSet has no Representation that can be read. */
  readonly lost?: string;
};

export type LiveMpd = {
  /** The MPD became static: no further segment will come. */
  readonly isEnded: boolean;
  readonly availabilityStart: Instant;
  /** Absent: segments stay available. */
  readonly timeShift?: Flicks;
  /** The URL of the next request, if the MPD states one (5.3.1.2, Location). */
  readonly location?: string;
  /** UTCTiming elements (5.8.4.11), in order of preference. */
  readonly timing: readonly { readonly scheme: string; readonly value: string }[];
  /** In order; those that have not been announced with a start are left out. */
  readonly periods: readonly LivePeriod[];
  /** What the starts of `events` count from. */
  readonly epoch: Instant;
  readonly events: readonly SpliceEvent[];
  readonly warnings: readonly string[];
};
