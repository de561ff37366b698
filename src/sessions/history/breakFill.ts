// SPDX-License-Identifier: Apache-2.0
// A break of a viewer in short: what lists and searches of sessions need of its record, which is many times larger.
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import { startOfRecord } from '../sessionRules.ts';

export type BreakFill = {
  readonly id: string;
  /** Milliseconds since 1970; 0 if the break has no position. */
  readonly startsAt: number;
  /** Seconds. */
  readonly duration: number;
  readonly status: BreakRecord['status'];
  /** The code of the reason for a break that was not filled. */
  readonly reason?: string;
  /** Seconds of ads. */
  readonly filled: number;
  /** How many ads were shown, and how many were skipped. */
  readonly shown: number;
  readonly skipped: number;
};

/** The record of the ad response that named the breaks of a VoD session (VMAP) is not a break: it has no length and no position. */
export const isBreak = ({ id, position, duration }: Pick<BreakRecord, 'id' | 'position' | 'duration'>): boolean =>
  id !== '0-0' || position !== undefined || duration > 0;

export function breakFillOf(record: BreakRecord): BreakFill {
  const { id, duration, status, reason, ads } = record;
  const stitched = ads.filter(({ outcome }) => outcome === 'stitched');
  const filled = stitched.reduce((sum, ad) => sum + (ad.shown ?? ad.duration), 0);
  return {
    id,
    startsAt: startOfRecord(record),
    duration,
    status,
    ...(reason === undefined ? {} : { reason: reason.code }),
    filled: Math.round(filled * 1000) / 1000,
    shown: stitched.length,
    skipped: ads.length - stitched.length,
  };
}

/** What is stored next to a record; nothing for a record that is not a break. */
export const storedFill = (record: BreakRecord): string => (isBreak(record) ? JSON.stringify(breakFillOf(record)) : '');
export const readFill = (text: string): BreakFill | undefined =>
  text === '' ? undefined : (JSON.parse(text) as BreakFill);
