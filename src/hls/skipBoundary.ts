// SPDX-License-Identifier: Apache-2.0
// Which playlists have delta updates (RFC 8216bis §6.2.5.1), and how far from their end segments are never skipped.
import type { Ladder } from '../timeline/ladder/ladder.ts';

type Segments = Pick<Ladder, 'targetDuration'>;

/** The Skip Boundary in milliseconds: six target durations, the least that RFC 8216bis §4.4.3.8 allows for CAN-SKIP-UNTIL. */
export const skipBoundaryMillis = ({ targetDuration }: Segments): number => 6000 * targetDuration;

/**
 * Whether delta updates are announced: from twice the boundary on, an update is half of the playlist at most.
 * @param depth of the window, in milliseconds
 */
export const hasDeltas = (depth: number, ladder: Segments): boolean => depth >= 2 * skipBoundaryMillis(ladder);
