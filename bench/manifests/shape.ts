// SPDX-License-Identifier: Apache-2.0
// What a server of the bench serves: its channels and their viewers. Passed to the server as JSON.

export type BenchShape = {
  readonly format: 'hls' | 'dash';
  readonly channels: number;
  /** Items of each channel, which repeat. */
  readonly items: number;
  readonly itemSeconds: number;
  /** Video renditions; there is one of audio, too. */
  readonly qualities: number;
  readonly uptimeSeconds: number;
  /** Content between two breaks. The first break of an item is in the middle of it. */
  readonly contentSeconds: number;
  readonly breakSeconds: number;
  /** How long a break has been on air when the first request comes. */
  readonly intoBreakSeconds: number;
  /** The ads of each break, in frames of 1/25 s. */
  readonly adFrames: readonly number[];
  readonly sessions: number;
  readonly playlistSeconds: number;
  /** Sessions start this far in the past (`?start=`); 0 for the usual window. */
  readonly timeShiftSeconds: number;
  /** Between two requests of a viewer, on the clock of the server; 0 for the clock of the machine. */
  readonly pollSeconds: number;
  /** Which playlists a player requests at each poll. */
  readonly renditions: 'one' | 'all';
  /** Viewers per viewer who requests the segments of the ads; 0 if none does. */
  readonly viewersPerFollower: number;
  /** Whether the memory of viewers is measured, which takes time. */
  readonly isWeighed?: boolean;
  /** Where beacons are sent; without it, nothing is tracked. */
  readonly receiver?: string;
};

/** Viewers with a decided break in a window of 15 segments, on a channel that has been on air for a day. */
export const usualShape: BenchShape = {
  ...{ format: 'hls', channels: 1, items: 3, itemSeconds: 110, qualities: 3, uptimeSeconds: 86_400 },
  ...{ contentSeconds: 22, breakSeconds: 28, intoBreakSeconds: 24, adFrames: [350, 350] },
  ...{ sessions: 10_000, playlistSeconds: 30, timeShiftSeconds: 0 },
  ...{ pollSeconds: 2, renditions: 'one', viewersPerFollower: 0 },
};

/** Requests of manifests in which each viewer polls once. */
export const requestsPerPoll = ({ renditions, sessions }: BenchShape): number =>
  sessions * (renditions === 'all' ? 2 : 1);

/** Ids of ads end with their frames; the last digits of a session's id are the number of its viewer. */
export const sessionIdOf = (viewer: number): string =>
  `${(Math.imul(viewer + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}-5b1e-4c3d-9a7f-${String(viewer).padStart(12, '0')}`;

export const viewerOf = (sessionId: string): number => Number(sessionId.slice(24));

export const channelOf = (viewer: number, { channels }: BenchShape): string => `channel${viewer % channels}`;
