// SPDX-License-Identifier: Apache-2.0
import type { Ladder } from './ladder.ts';

/**
 * How far behind the live edge players play, in milliseconds: three target durations, the least that RFC 8216bis
 * §4.4.3.8 allows for HOLD-BACK. Both formats announce it (docs/laws.md, further rules), and beacons become due by it.
 */
export const holdBackMillis = ({ targetDuration }: Pick<Ladder, 'targetDuration'>): number => 3000 * targetDuration;
