// SPDX-License-Identifier: Apache-2.0
// The rows of `npm run bench`. Each compares a server of Midroll with a reference: a bare server that sends the same bytes, or
// Midroll in another situation.
import { type BenchShape, usualShape } from './shape.ts';

export type Row = {
  readonly id: string;
  readonly title: string;
  readonly shape: BenchShape;
  /** The reference; a bare server if absent. */
  readonly against?: BenchShape;
  /** Lines of the head of each request, and of those to the reference if it is Midroll. */
  readonly headers?: string;
  readonly isGzip?: true;
  /** The least requests of a measurement, if its answers are so large that the usual number takes too long. */
  readonly least?: number;
  /** Measured only if it is named. */
  readonly isOptional?: true;
};

const hls = (change: Partial<BenchShape> = {}): BenchShape => ({ ...usualShape, ...change });
const dash = (change: Partial<BenchShape> = {}): BenchShape => ({ ...usualShape, format: 'dash', ...change });

/** Breaks of two minutes between eight minutes of content, and a window of 3,600 segments. */
const twoHours: Partial<BenchShape> = {
  ...{ timeShiftSeconds: 7200, contentSeconds: 480, itemSeconds: 1920, breakSeconds: 120 },
  ...{ adFrames: new Array(8).fill(375), sessions: 1000 },
};

/** Few viewers, so that beacons become due while the row is measured; channels at all places of their schedules: some have ads. */
const played: Partial<BenchShape> = { channels: 34, sessions: 680, viewersPerFollower: 4 };

const GZIP = 'accept-encoding: gzip\r\n';

/** @param receiver where beacons are sent */
export const rowsFor = (receiver: string): readonly Row[] => [
  { id: 'hls-1', title: 'HLS, 1 channel, 10,000 sessions', shape: hls() },
  { id: 'hls-200', title: 'HLS, 200 channels', shape: hls({ channels: 200 }) },
  { id: 'hls-1000', title: 'HLS, 1,000 channels: nothing is shared', shape: hls({ channels: 1000 }) },
  { id: 'hls-own-ads', title: 'HLS, 1 channel, each viewer has other ads', shape: hls({ adFrames: [200, 250, 250] }) },
  { id: 'hls-items', title: 'HLS, 1 channel of 1,000 items', shape: hls({ items: 1000 }) },
  { id: 'hls-10min', title: 'HLS, 10 minutes on air', shape: hls({ uptimeSeconds: 700 }) },
  { id: 'hls-30days', title: 'HLS, 30 days on air', shape: hls({ uptimeSeconds: 30 * 86_400 }) },
  {
    ...{ id: 'hls-ladder', title: 'HLS, ladder of 5, video and audio in turn' },
    shape: hls({ qualities: 5, renditions: 'all' }),
  },
  {
    ...{ id: 'hls-2-breaks', title: 'HLS, two decided breaks in the window' },
    shape: hls({ contentSeconds: 6, itemSeconds: 60, breakSeconds: 10, intoBreakSeconds: 4, adFrames: [100, 125] }),
  },
  { id: 'hls-2h', title: 'HLS, window of 2 h (3,600 segments)', shape: hls(twoHours), least: 1500 },
  { id: 'hls-100', title: 'HLS, 100 sessions', shape: hls({ sessions: 100 }) },
  { id: 'hls-100k', title: 'HLS, 100,000 sessions', shape: hls({ sessions: 100_000 }) },
  { id: 'hls-refetch', title: 'HLS, polled again without new segments', shape: hls({ pollSeconds: 0 }) },
  { id: 'dash-1', title: 'DASH, 1 channel', shape: dash() },
  { id: 'dash-200', title: 'DASH, 200 channels', shape: dash({ channels: 200 }) },
  { id: 'dash-1000', title: 'DASH, 1,000 channels: nothing is shared', shape: dash({ channels: 1000 }) },
  { id: 'dash-2h', title: 'DASH, window of 2 h', shape: dash(twoHours), least: 1500 },
  {
    ...{ id: 'tracked', title: 'Ad segments in one of ten requests, tracked; to untracked' },
    ...{ shape: hls({ ...played, receiver }), against: hls(played) },
  },
  {
    ...{ id: 'hls-gzip', title: 'HLS, compressed; to plain', isOptional: true, isGzip: true },
    ...{ headers: GZIP, shape: hls(), against: hls() },
  },
  {
    ...{ id: 'dash-gzip', title: 'DASH, compressed; to plain', isOptional: true, isGzip: true },
    ...{ headers: GZIP, shape: dash(), against: dash() },
  },
];
